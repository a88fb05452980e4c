// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The host that a client asked for, however it spelled it. */
public final class Host {

    /** In lower case, without the port that its scheme has anyway; empty where there is none. */
    public static String canonical(@Nullable String host) {
        if (host == null) {
            return "";
        }
        String lower = host.strip().toLowerCase(Locale.ROOT);
        for (String port : new String[] {":80", ":443"}) {
            if (lower.endsWith(port)) {
                return lower.substring(0, lower.length() - port.length());
            }
        }
        return lower;
    }

    private Host() {}
}
