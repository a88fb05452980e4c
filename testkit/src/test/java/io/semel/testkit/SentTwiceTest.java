// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import static io.semel.testkit.Invocations.passed;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The annotation itself. */
class SentTwiceTest {

    @Test
    void aTestRunsOnceForEveryWayAndIsNamedAfterIt() {
        Map<Way, String> messages = Invocations.of(EveryWay.class);
        assertThat(messages).containsOnlyKeys(Way.values());
        assertThat(Way.CRASH_AFTER_CLAIM)
                .hasToString(
                        "sent again after a crash at AFTER_CLAIM (the key was claimed, and the work had not begun)");
    }

    static class EveryWay {
        @SentTwice
        void test(Sender sender) {
            sender.send(() -> "answer").answersEqually();
        }
    }

    @Test
    void aTestMayNameItsWays() {
        assertThat(Invocations.of(OneWay.class)).containsExactly(Map.entry(Way.ONE_AFTER_THE_OTHER, passed()));
    }

    static class OneWay {
        @SentTwice(Way.ONE_AFTER_THE_OTHER)
        void test(Sender sender) {
            sender.send(() -> "answer").answersEqually();
        }
    }

    @Test
    void everythingOfOneInvocationGetsTheSameSender() {
        assertThat(Invocations.of(Prepared.class)).containsExactly(Map.entry(Way.AT_ONCE, passed()));
    }

    static class Prepared {
        private Sender prepared = Sender.of(Way.STORE_DOWN);

        @BeforeEach
        void prepare(Sender sender) {
            prepared = sender;
        }

        @SentTwice(Way.AT_ONCE)
        void test(Sender sender) {
            assertThat(sender).isSameAs(prepared);
            assertThat(sender.way()).isEqualTo(Way.AT_ONCE);
            sender.send(() -> "answer").answersEqually();
        }
    }

    @Test
    void aTestThatSendsNothingFails() {
        assertThat(Invocations.of(SendsNothing.class).get(Way.AT_ONCE)).startsWith("The test sent nothing");
    }

    static class SendsNothing {
        @SentTwice
        void test(Sender sender) {
            sender.start(() -> "a service that nothing is sent to");
        }
    }

    @Test
    void aTestThatAssertsNothingFails() {
        assertThat(Invocations.of(AssertsNothing.class).get(Way.AT_ONCE))
                .startsWith("The test asserted nothing about what it sent");
    }

    static class AssertsNothing {
        @SentTwice(Way.AT_ONCE)
        void test(Sender sender) {
            sender.send(() -> "answer");
        }
    }

    @Test
    void aTestThatFailsByItselfSaysOnlyThat() {
        assertThat(Invocations.of(FailsByItself.class).get(Way.AT_ONCE)).isEqualTo("the database is not there");
    }

    static class FailsByItself {
        @SentTwice(Way.AT_ONCE)
        void test(Sender sender) {
            throw new IllegalStateException("the database is not there");
        }
    }
}
