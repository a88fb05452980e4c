// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.body;

import io.semel.http.internal.text.Ascii;
import io.semel.http.internal.text.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Digests the parts of a multipart body (RFC 2046) as they come in: their header fields and their content, in order. */
final class MultipartDigest implements BodyDigest {

    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[] CLOSING = {'-', '-'};
    private static final byte[] HEADERS_END = {'\r', '\n', '\r', '\n'};
    private static final int SLICE = 8192;
    private static final int MOST_HEADER_BYTES = 16_384;

    private final SlidingBuffer window = new SlidingBuffer(SLICE + MOST_HEADER_BYTES);
    private final MessageDigest parts = Sha256.digest();
    private final MessageDigest content = Sha256.digest();
    private final byte[] delimiter;
    private State state = State.PREAMBLE;
    /** Whether nothing but white space has come before the first part, or behind the last. */
    private boolean blank = true;

    MultipartDigest(String boundary) {
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
        // The first delimiter may open the body, where no line has ended yet.
        window.append(LINE_END, 0, LINE_END.length);
    }

    @Override
    public void update(byte[] bytes, int from, int length) throws BadBody {
        for (int done = 0; done < length; done += SLICE) {
            window.append(bytes, from + done, Math.min(SLICE, length - done));
            while (step()) {
                // Goes on as long as the window holds something whole.
            }
        }
    }

    @Override
    public byte[] finish() throws BadBody {
        if (state != State.EPILOGUE) {
            throw BadBody.unreadable("The multipart body ends before its closing boundary.");
        }
        endAround();
        return parts.digest();
    }

    private boolean step() throws BadBody {
        return switch (state) {
            case PREAMBLE, CONTENT -> untilDelimiter();
            case DELIMITER -> afterDelimiter();
            case HEADERS -> headers();
            case EPILOGUE -> {
                around(window.size());
                window.drop(window.size());
                yield false;
            }
        };
    }

    private boolean untilDelimiter() {
        int found = window.find(delimiter);
        int whole = found >= 0 ? found : Math.max(0, window.size() - delimiter.length + 1);
        if (state == State.CONTENT) {
            window.digest(content, whole);
        } else {
            around(whole);
        }
        window.drop(whole);
        if (found < 0) {
            return false;
        }
        window.drop(delimiter.length);
        if (state == State.CONTENT) {
            Sha256.add(parts, content.digest());
        } else {
            endAround();
        }
        state = State.DELIMITER;
        return true;
    }

    /** What stands before the first part or behind the last has no meaning, but lax readers find parts of their own there. */
    private void around(int length) {
        blank &= window.text(length).isBlank();
        window.digest(content, length);
    }

    private void endAround() {
        byte[] digest = content.digest();
        if (!blank) {
            Sha256.add(parts, digest);
        }
        blank = true;
    }

    private boolean afterDelimiter() throws BadBody {
        if (window.size() < 2) {
            return false;
        }
        if (window.startsWith(CLOSING)) {
            window.drop(CLOSING.length);
            state = State.EPILOGUE;
            return true;
        }
        int end = window.find(LINE_END);
        if (end < 0) {
            return wait("A boundary line does not end.");
        }
        if (!window.text(end).isBlank()) {
            throw BadBody.unreadable("There is something after a boundary.");
        }
        window.drop(end + LINE_END.length);
        state = State.HEADERS;
        return true;
    }

    private boolean headers() throws BadBody {
        if (window.size() < 2) {
            return false;
        }
        if (window.startsWith(LINE_END)) {
            window.drop(LINE_END.length);
            return beginContent("");
        }
        int end = window.find(HEADERS_END);
        if (end < 0) {
            return wait("The header fields of a part are too long.");
        }
        String lines = window.text(end);
        window.drop(end + HEADERS_END.length);
        return beginContent(lines);
    }

    private boolean beginContent(String lines) throws BadBody {
        String[] fields = lines.isEmpty()
                ? new String[0]
                : lines.replaceAll("\r\n[ \t]+", " ").split("\r\n", -1);
        Sha256.add(parts, Integer.toString(fields.length));
        for (String field : fields) {
            int colon = field.indexOf(':');
            if (colon < 1) {
                throw BadBody.unreadable("A header field of a part has no name.");
            }
            Sha256.add(parts, Ascii.lower(field.substring(0, colon)));
            Sha256.add(parts, field.substring(colon + 1).strip());
        }
        state = State.CONTENT;
        return true;
    }

    private boolean wait(String why) throws BadBody {
        if (window.size() > MOST_HEADER_BYTES) {
            throw BadBody.unreadable(why);
        }
        return false;
    }

    private enum State {
        PREAMBLE,
        DELIMITER,
        HEADERS,
        CONTENT,
        EPILOGUE
    }
}
