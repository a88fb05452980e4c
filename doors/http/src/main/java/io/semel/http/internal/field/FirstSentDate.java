// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.field;

import io.semel.http.KeyField;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** When a client says that it first sent a request. */
public final class FirstSentDate {

    /** IMF-fixdate, the one form of a date that RFC 9110 lets senders write. */
    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withResolverStyle(ResolverStyle.STRICT)
            .withZone(ZoneOffset.UTC);

    /** Null where there is no such line. */
    public static @Nullable Instant of(List<String> lines) throws MalformedField {
        if (lines.isEmpty()) {
            return null;
        }
        if (lines.size() > 1) {
            throw new MalformedField(KeyField.Fault.REPEATED, "There is more than one such field.");
        }
        String text = lines.get(0).strip();
        if (text.startsWith("@")) {
            return Instant.ofEpochSecond(StructuredItem.date(text));
        }
        try {
            return HTTP_DATE.parse(text, Instant::from);
        } catch (DateTimeParseException e) {
            throw new MalformedField(
                    KeyField.Fault.SYNTAX, "It is neither an HTTP date (Sun, 06 Nov 1994 08:49:37 GMT) nor @seconds.");
        }
    }

    private FirstSentDate() {}
}
