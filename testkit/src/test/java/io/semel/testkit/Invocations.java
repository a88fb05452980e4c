// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.EnumMap;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs the one {@link SentTwice} test of a class by JUnit itself, and gives what became of it in each way. */
final class Invocations {

    /** In place of a message. */
    static String passed() {
        return "passed";
    }

    static Map<Way, String> of(Class<?> test) {
        Map<Way, String> messages = new EnumMap<>(Way.class);
        EngineTestKit.engine("junit-jupiter").selectors(selectClass(test)).execute().testEvents().finished().stream()
                .forEach(event -> messages.put(way(event), message(event)));
        return messages;
    }

    private static Way way(Event event) {
        String name = event.getTestDescriptor().getDisplayName();
        for (Way way : Way.values()) {
            if (way.toString().equals(name)) {
                return way;
            }
        }
        throw new AssertionError("No way is called " + name);
    }

    private static String message(Event event) {
        return event.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .map(Throwable::getMessage)
                .orElse(passed());
    }

    private Invocations() {}
}
