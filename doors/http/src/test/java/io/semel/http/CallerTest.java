// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Key;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CallerTest {

    @Test
    void aScopeNamesTenantAndPrincipal() {
        assertThat(Caller.of("acme", "alice").scope("http")).isEqualTo("http/tenant/acme/principal/alice");
        assertThat(Caller.of("alice").scope("http")).isEqualTo("http/principal/alice");
        assertThat(Caller.anonymous().scope("http")).isEqualTo("http/anonymous");
        assertThat(new Caller("acme", null).scope("http")).isEqualTo("http/tenant/acme/anonymous");
    }

    @Test
    void callersThatDifferHaveScopesThatDiffer() {
        String longName = "x".repeat(2000);
        Stream<Caller> callers = Stream.of(
                Caller.anonymous(),
                Caller.of("anonymous"),
                Caller.of("a"),
                Caller.of("A"),
                Caller.of("a "),
                Caller.of("a", "b"),
                Caller.of("b", "a"),
                Caller.of("a/b", "c"),
                Caller.of("a", "b/c"),
                Caller.of("a/principal/b"),
                Caller.of("tenant/a/principal", "b"),
                new Caller("a", null),
                Caller.of("\u00e9"),
                Caller.of("e\u0301"),
                Caller.of(longName),
                Caller.of(longName + "y"),
                Caller.of(longName, "y"),
                Caller.of("\ud800"),
                Caller.of("\udbff"),
                Caller.of("\ufffd"),
                Caller.of("?"));

        assertThat(callers.map(caller -> caller.scope("http"))).doesNotHaveDuplicates();
    }

    @Test
    void everyScopeFitsIntoAKey() {
        for (Caller caller :
                List.of(Caller.of("\u20ac".repeat(1000)), Caller.of("\ud800"), Caller.of("/".repeat(1000)))) {
            assertThat(Key.of(caller.scope("http"), "id").scope()).startsWith("http/hash/");
        }
    }

    @Test
    void anEmptyNameIsNoName() {
        assertThatThrownBy(() -> Caller.of("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Caller.of("", "alice")).isInstanceOf(IllegalArgumentException.class);
    }
}
