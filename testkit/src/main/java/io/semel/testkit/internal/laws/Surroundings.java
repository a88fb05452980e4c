// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import java.util.Locale;
import java.util.TimeZone;

/** Another time zone or locale for the whole process, while something is done. */
public final class Surroundings {

    public static void inZone(String zone, Runnable action) {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        try {
            action.run();
        } finally {
            TimeZone.setDefault(before);
        }
    }

    public static void inLocale(String tag, Runnable action) {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag(tag));
        try {
            action.run();
        } finally {
            Locale.setDefault(before);
        }
    }

    private Surroundings() {}
}
