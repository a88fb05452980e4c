// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.field;

import io.semel.http.HeaderNames;
import io.semel.http.KeyField.Fault;
import io.semel.http.Request;
import io.semel.http.internal.text.Ascii;
import java.util.List;

/** The headers of a request in a session. */
public record SessionFields(String id, long number, long firstOutstanding) {

    private static final int MOST_DIGITS = 18;

    /** Whether the request has any of them; one alone is a mistake, and not a request without a session. */
    public static boolean arePresent(Request request) {
        return !request.headers(HeaderNames.SESSION).isEmpty()
                || !request.headers(HeaderNames.REQUEST).isEmpty()
                || !request.headers(HeaderNames.FIRST_OUTSTANDING).isEmpty();
    }

    public static SessionFields of(Request request) throws MalformedField {
        String id = line(HeaderNames.SESSION, request.headers(HeaderNames.SESSION));
        long number = number(HeaderNames.REQUEST, request.headers(HeaderNames.REQUEST));
        long first = number(HeaderNames.FIRST_OUTSTANDING, request.headers(HeaderNames.FIRST_OUTSTANDING));
        if (first > number) {
            throw new MalformedField(
                    Fault.SYNTAX,
                    HeaderNames.FIRST_OUTSTANDING + " is above " + HeaderNames.REQUEST
                            + "; a request that is sent is outstanding itself.");
        }
        return new SessionFields(id, number, first);
    }

    public static long number(String name, List<String> lines) throws MalformedField {
        String digits = line(name, lines);
        long number = digits.length() > MOST_DIGITS || digits.charAt(0) == '0' ? -1 : 0;
        for (int i = 0; i < digits.length() && number >= 0; i++) {
            number = Ascii.isDigit(digits.charAt(i)) ? 10 * number + digits.charAt(i) - '0' : -1;
        }
        if (number < 0) {
            throw new MalformedField(
                    Fault.SYNTAX, name + " is a number from 1, of at most " + MOST_DIGITS + " digits.");
        }
        return number;
    }

    private static String line(String name, List<String> lines) throws MalformedField {
        String line = lines.size() == 1 ? lines.get(0).strip() : "";
        if (line.isEmpty()) {
            throw new MalformedField(
                    lines.size() > 1 ? Fault.REPEATED : Fault.EMPTY,
                    "A request of a session has " + HeaderNames.SESSION + ", " + HeaderNames.REQUEST + " and "
                            + HeaderNames.FIRST_OUTSTANDING + ", each once; send exactly one " + name + ".");
        }
        return line;
    }
}
