// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.http.KeyField.Fault;
import java.util.List;

/** What a request says of its place in a session. */
record SessionFields(String id, long number, long firstOutstanding) {

    private static final int MOST_DIGITS = 18;

    /** Whether the request has any of them; one alone is a mistake, and not a request without a session. */
    static boolean arePresent(Request request) {
        return !request.headers(Names.SESSION).isEmpty()
                || !request.headers(Names.REQUEST).isEmpty()
                || !request.headers(Names.FIRST_OUTSTANDING).isEmpty();
    }

    static SessionFields of(Request request) throws KeyFault {
        String id = line(Names.SESSION, request.headers(Names.SESSION));
        long number = number(Names.REQUEST, request.headers(Names.REQUEST));
        long first = number(Names.FIRST_OUTSTANDING, request.headers(Names.FIRST_OUTSTANDING));
        if (first > number) {
            throw new KeyFault(
                    Fault.SYNTAX,
                    Names.FIRST_OUTSTANDING + " is above " + Names.REQUEST
                            + "; a request that is sent is outstanding itself.");
        }
        return new SessionFields(id, number, first);
    }

    static long number(String name, List<String> lines) throws KeyFault {
        String digits = line(name, lines);
        long number = digits.length() > MOST_DIGITS || digits.charAt(0) == '0' ? -1 : 0;
        for (int i = 0; i < digits.length() && number >= 0; i++) {
            number = Ascii.isDigit(digits.charAt(i)) ? 10 * number + digits.charAt(i) - '0' : -1;
        }
        if (number < 0) {
            throw new KeyFault(Fault.SYNTAX, name + " is a number from 1, of at most " + MOST_DIGITS + " digits.");
        }
        return number;
    }

    private static String line(String name, List<String> lines) throws KeyFault {
        String line = lines.size() == 1 ? lines.get(0).strip() : "";
        if (line.isEmpty()) {
            throw new KeyFault(
                    lines.size() > 1 ? Fault.REPEATED : Fault.EMPTY,
                    "A request of a session has " + Names.SESSION + ", " + Names.REQUEST + " and "
                            + Names.FIRST_OUTSTANDING + ", each once; send exactly one " + name + ".");
        }
        return line;
    }
}
