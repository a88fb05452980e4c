// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TokenCacheTest {

    private final AtomicLong now = new AtomicLong();
    private final TokenCache tokens = new TokenCache(Duration.ofSeconds(10), now::get);

    @Test
    void whatWasSaidIsKnownForAWhileAndNoLongerThanATokenIsGood() {
        assertThat(tokens.add("long", "alice", 100)).isEqualTo("alice");
        assertThat(tokens.add("over", "eve", 0)).isEmpty();
        assertThat(tokens.add("short", "bob", 5)).isEqualTo("bob");
        now.set(4_999);
        assertThat(tokens.find("long")).isEqualTo("alice");
        assertThat(tokens.find("short")).isEqualTo("bob");
        now.set(5_000);
        assertThat(tokens.find("short")).isEmpty();
        now.set(10_001);
        assertThat(tokens.find("long")).isNull();
    }

    @Test
    void noMoreThanSoManyAreKnown() {
        for (int i = 0; i <= TokenCache.MOST; i++) {
            assertThat(tokens.add("token " + i, "alice", 100)).isEqualTo("alice");
        }
        assertThat(tokens.size()).isEqualTo(TokenCache.MOST);
        assertThat(tokens.find("token 0")).isNull();
    }

    @Test
    void inventedTokensPushNoCallersOut() {
        assertThat(tokens.add("first", "alice", 100)).isEqualTo("alice");
        for (int i = 0; i <= TokenCache.MOST; i++) {
            assertThat(tokens.add("token " + i, "", 100)).isEmpty();
        }
        assertThat(tokens.size()).isEqualTo(TokenCache.MOST + 1);
        assertThat(tokens.find("first")).isEqualTo("alice");
        assertThat(tokens.find("token 0")).isNull();
    }

    @Test
    void aTokenThatWasTakenBackIsNobodys() {
        assertThat(tokens.add("first", "alice", 100)).isEqualTo("alice");
        assertThat(tokens.add("first", "", 100)).isEmpty();
        assertThat(tokens.find("first")).isEmpty();
        assertThat(tokens.add("first", "alice", 100)).isEqualTo("alice");
        assertThat(tokens.find("first")).isEqualTo("alice");
    }
}
