// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.gateway.config.yaml.YamlSection;
import java.time.Duration;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * How much of the store one caller, and one address, may fill in a window of time; zero is as much as they like.
 *
 * @param callerBytes of answers
 * @param addressKeys of all callers at one address together, because credentials can be invented at will
 */
public record QuotaSettings(Duration window, long callerKeys, long callerBytes, long addressKeys, long addressBytes) {

    public static final QuotaSettings NONE = new QuotaSettings(Duration.ofHours(1), 0, 0, 0, 0);

    public QuotaSettings {
        if (window.compareTo(Duration.ofSeconds(1)) < 0 || window.compareTo(Duration.ofDays(7)) > 0) {
            throw new IllegalArgumentException("window is from 1s to 7d.");
        }
    }

    public boolean areOff() {
        return callerKeys == 0 && callerBytes == 0 && addressKeys == 0 && addressBytes == 0;
    }

    /** Those that are set. */
    @Override
    public String toString() {
        StringJoiner set = new StringJoiner(", ");
        add(set, callerKeys, "keys a caller");
        add(set, callerBytes, "bytes a caller");
        add(set, addressKeys, "keys an address");
        add(set, addressBytes, "bytes an address");
        return areOff() ? "none" : set + " in " + window.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    private static void add(StringJoiner set, long most, String what) {
        if (most > 0) {
            set.add(most + " " + what);
        }
    }

    public static QuotaSettings of(YamlSection fields) {
        YamlSection quotas =
                fields.fields("quotas", "window", "callerKeys", "callerBytes", "addressKeys", "addressBytes");
        return quotas == null
                ? NONE
                : fields.wrapped(
                        "quotas",
                        () -> new QuotaSettings(
                                quotas.span("window", NONE.window),
                                quotas.bytes("callerKeys", 0),
                                quotas.bytes("callerBytes", 0),
                                quotas.bytes("addressKeys", 0),
                                quotas.bytes("addressBytes", 0)));
    }
}
