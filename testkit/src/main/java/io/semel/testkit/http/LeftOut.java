// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import java.util.LinkedHashMap;
import java.util.Map;

/** The cases that a door does not give, each with its reason; all others are tested. */
public final class LeftOut {

    private final Map<Object, String> reasons;

    private LeftOut(Map<Object, String> reasons) {
        this.reasons = reasons;
    }

    /** Everything is tested. */
    public static LeftOut nothing() {
        return new LeftOut(Map.of());
    }

    /** Every test of a case. */
    public LeftOut cases(String reason, Integer... numbers) {
        return with(reason, (Object[]) numbers);
    }

    /** Every test on one of these settings, which the door does not have. */
    public LeftOut settings(String reason, HttpSetting... settings) {
        return with(reason, (Object[]) settings);
    }

    /** Tests by their names. */
    public LeftOut tests(String reason, String... names) {
        return with(reason, (Object[]) names);
    }

    private LeftOut with(String reason, Object... what) {
        if (reason.isBlank()) {
            throw new IllegalArgumentException("What is left out has a reason.");
        }
        Map<Object, String> more = new LinkedHashMap<>(reasons);
        for (Object each : what) {
            more.put(each, reason);
        }
        return new LeftOut(more);
    }

    Map<Object, String> reasons() {
        return reasons;
    }
}
