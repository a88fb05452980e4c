// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.answer;

import io.semel.http.Answer;
import io.semel.http.Answer.Header;
import io.semel.http.internal.text.Ascii;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Makes a stored answer readable to a client that accepts other content codings than the first one did. */
public final class ContentCoding {

    /**
     * Empty where the client does not accept the coding and it cannot be taken off here.
     *
     * @param most bytes that it may have without its coding: a stored answer of a mebibyte could unpack to a gibibyte
     */
    public static Optional<Answer> readable(Answer stored, List<String> acceptEncoding, int most) {
        String coding =
                Ascii.lower(stored.header("Content-Encoding").orElse("identity").strip());
        if (coding.equals("identity") || isNamed(coding, acceptEncoding)) {
            return Optional.of(stored);
        }
        if (coding.equals("gzip") || coding.equals("x-gzip")) {
            return unpacked(stored, most);
        }
        // Without the field every coding is acceptable (RFC 9110, section 12.5.3).
        return acceptEncoding.isEmpty() ? Optional.of(stored) : Optional.empty();
    }

    private static boolean isNamed(String coding, List<String> acceptEncoding) {
        boolean byStar = false;
        for (String line : acceptEncoding) {
            for (String element : line.split(",", -1)) {
                String[] parts = element.split(";", -1);
                String name = Ascii.lower(parts[0].strip());
                if (name.equals(coding)) {
                    return !isRefused(parts);
                }
                byStar |= name.equals("*") && !isRefused(parts);
            }
        }
        return byStar;
    }

    private static boolean isRefused(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            if (Ascii.lower(parts[i].strip()).matches("q\\s*=\\s*0(\\.0*)?")) {
                return true;
            }
        }
        return false;
    }

    private static Optional<Answer> unpacked(Answer stored, int most) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(stored.body()))) {
            byte[] body = in.readNBytes(most);
            return in.read() < 0 ? Optional.of(plain(stored, body)) : Optional.empty();
        } catch (IOException e) {
            // Not what its header says it is; whoever accepts the coding gets it as it is.
            return Optional.empty();
        }
    }

    private static Answer plain(Answer stored, byte[] body) {
        List<Header> headers = new ArrayList<>();
        for (Header header : stored.headers()) {
            if (header.name().equalsIgnoreCase("ETag")) {
                headers.add(new Header(header.name(), weak(header.value())));
            } else if (!header.name().equalsIgnoreCase("Content-Encoding")) {
                headers.add(header);
            }
        }
        return new Answer(stored.status(), headers, body);
    }

    /** A strong tag names exact bytes, and these are others. */
    private static String weak(String tag) {
        return tag.startsWith("W/") ? tag : "W/" + tag;
    }

    private ContentCoding() {}
}
