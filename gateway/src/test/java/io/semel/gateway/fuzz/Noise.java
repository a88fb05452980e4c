// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.util.Random;

/** Changes, drops, doubles and inserts bytes, but within no id: whose a request is stays to be seen. */
final class Noise {

    private static final String ODD = "\r\n \t\u0000:;,+-0x";

    private final Random random;
    private final String id;

    Noise(Random random, String id) {
        this.random = random;
        this.id = id;
    }

    void change(StringBuilder text, int times) {
        for (int left = times; left > 0 && text.length() > 0; left--) {
            int at = random.nextInt(text.length());
            if (!isInId(text, at)) {
                changeAt(text, at);
            }
        }
    }

    private boolean isInId(StringBuilder text, int at) {
        int found = text.indexOf(id, Math.max(0, at - id.length() + 1));
        return found >= 0 && found <= at;
    }

    private void changeAt(StringBuilder text, int at) {
        switch (random.nextInt(4)) {
            case 0 -> text.setCharAt(at, (char) random.nextInt(256));
            case 1 -> text.deleteCharAt(at);
            case 2 -> text.insert(at, text.charAt(at));
            default -> text.insert(at, ODD.charAt(random.nextInt(ODD.length())));
        }
    }
}
