// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the parts of HTTP/1 messages as RFC 9112 has them, and repairs nothing; with a fault it is wrong on purpose. */
final class OctetReader {

    static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private static final Pattern FORBIDDEN =
            Pattern.compile("(?is)^((content-length|transfer-encoding|trailer)[ \t]*:).*");

    private static final int MOST = 1 << 20;

    private final PushbackInputStream in;
    private final Set<Fault> faults;

    OctetReader(InputStream in, Set<Fault> faults) {
        this.in = new PushbackInputStream(in, 16);
        this.faults = faults;
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }

    /** Whether there is nothing more, or another answer. */
    boolean isAtEndOrAnswer() throws IOException {
        byte[] next = in.readNBytes(5);
        in.unread(next);
        return next.length == 0 || new String(next, StandardCharsets.ISO_8859_1).equals("HTTP/");
    }

    boolean isAtEnd() throws IOException {
        int next = in.read();
        if (next >= 0) {
            in.unread(next);
        }
        return next < 0;
    }

    /** The next line that is not empty; null at the end. */
    @Nullable
    String firstLine() throws IOException {
        int next = in.read();
        while (next == '\r' || next == '\n') {
            next = in.read();
        }
        if (next < 0) {
            return null;
        }
        in.unread(next);
        return line();
    }

    String line() throws IOException {
        return checked(untilNewline());
    }

    private String checked(String line) throws Malformed {
        boolean whole = line.endsWith("\r");
        if (!whole && !has(Fault.BARE_LF)) {
            throw new Malformed("bare LF: " + line);
        }
        String text = whole ? line.substring(0, line.length() - 1) : line;
        if (text.indexOf('\r') >= 0 && !has(Fault.BARE_CR)) {
            throw new Malformed("bare CR: " + line);
        }
        return text.replace('\r', ' ');
    }

    private String untilNewline() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("The end came within a line.");
            }
            if (line.length() > MOST) {
                throw new Malformed("A line is too long.");
            }
            line.append((char) next);
        }
        return line.toString();
    }

    Fields fields() throws IOException {
        Fields fields = new Fields();
        for (String line = line(); !line.isEmpty(); line = line()) {
            field(line, fields);
        }
        return fields;
    }

    private void field(String line, Fields fields) throws Malformed {
        boolean folded = line.startsWith(" ") || line.startsWith("\t");
        if (folded && has(Fault.FOLD) && !fields.isEmpty()) {
            fields.extend(line);
            return;
        }
        int colon = line.indexOf(':');
        if (colon < 0 && has(Fault.NO_COLON)) {
            return;
        }
        String name = colon < 0 ? "" : line.substring(0, colon);
        name = has(Fault.SPACE_BEFORE_COLON) ? name.stripTrailing() : name;
        if (!TOKEN.matcher(name).matches() && !(has(Fault.ANY_NAME) && !name.isEmpty())) {
            throw new Malformed("header line: " + line);
        }
        String value = stripped(line.substring(colon + 1));
        if (value.chars().anyMatch(OctetReader::isControl) && !has(Fault.CONTROLS)) {
            throw new Malformed("control character: " + line);
        }
        fields.add(name, value);
    }

    /** Without the white space that RFC 9110 has around values, which is not all that there is. */
    private static String stripped(String value) {
        return value.replaceAll("^[ \t]+|[ \t]+$", "");
    }

    private static boolean isControl(int c) {
        return (c < ' ' && c != '\t') || c == 0x7f;
    }

    String exactly(long length) throws IOException {
        if (length > MOST) {
            throw new EOFException("More than there can be.");
        }
        byte[] bytes = in.readNBytes((int) length);
        if (bytes.length < length) {
            throw new EOFException("The end came within a body.");
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    String toTheEnd() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    String chunks() throws IOException {
        StringBuilder body = new StringBuilder();
        for (long size = size(); size > 0; size = size()) {
            body.append(exactly(size));
            if (has(Fault.CHUNK_END_UNCHECKED)) {
                exactly(2);
            } else if (!line().isEmpty()) {
                throw new Malformed("A chunk is longer than its size.");
            }
        }
        if (!has(Fault.TRAILERS_LEFT)) {
            trailers();
        }
        return body.toString();
    }

    /** Nobody passes them on: a folded line among them goes with the one before, and of those that may not be there only the name is looked at. */
    private void trailers() throws IOException {
        boolean first = true;
        for (String line = trailer(); !line.isEmpty(); line = trailer()) {
            boolean folded = !first && (line.startsWith(" ") || line.startsWith("\t"));
            // Of an answer's trailers a proxy that takes white space off names takes any.
            if (!folded && !has(Fault.SPACE_BEFORE_COLON)) {
                field(FORBIDDEN.matcher(line).replaceFirst("$1"), new Fields());
            }
            first = false;
        }
    }

    /** What follows a name that may not be there, or a fold, is thrown away unseen, also where it has a bare CR. */
    private String trailer() throws IOException {
        String line = untilNewline();
        boolean unseen = FORBIDDEN.matcher(line).matches() || line.startsWith(" ") || line.startsWith("\t");
        return unseen && line.endsWith("\r") ? line.substring(0, line.length() - 1) : checked(line);
    }

    private long size() throws IOException {
        String line = has(Fault.CHUNK_EXTENSION_UNCHECKED) ? untilNewline() : line();
        int semicolon = line.indexOf(';');
        String size = semicolon < 0
                ? line.stripTrailing()
                : line.substring(0, semicolon).stripTrailing();
        boolean spaced = semicolon < 0 && size.length() < line.length();
        if (spaced && !has(Fault.SPACE_BEHIND_CHUNK) && !has(Fault.CHUNK_EXTENSION_UNCHECKED)) {
            throw new Malformed("chunk size: " + line);
        }
        if (line.chars().anyMatch(OctetReader::isControl) && !has(Fault.CHUNK_EXTENSION_UNCHECKED)) {
            throw new Malformed("chunk extension: " + line);
        }
        return number(size);
    }

    private long number(String size) throws Malformed {
        String digits = has(Fault.SIGNED_CHUNK) && size.startsWith("+") ? size.substring(1) : size;
        digits = has(Fault.CHUNK_WITH_PREFIX) && size.startsWith("0x") ? size.substring(2) : digits;
        boolean hexadecimal = digits.matches("[0-9a-fA-F]+");
        String significant = digits.replaceFirst("^0+(?=.)", "");
        if (hexadecimal && significant.length() > 8 && has(Fault.CHUNK_OVERFLOW)) {
            return Long.parseLong(significant.substring(significant.length() - 8), 16);
        }
        if (!hexadecimal || significant.length() > 15) {
            throw new Malformed("chunk size: " + size);
        }
        return Long.parseLong(significant, 16);
    }
}
