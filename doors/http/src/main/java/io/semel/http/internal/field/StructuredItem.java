// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.field;

import io.semel.http.KeyField.Fault;
import io.semel.http.internal.text.Ascii;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Reads one item of a structured field, as section 4.2 of RFC 9651 says, from left to right and in one pass. */
public final class StructuredItem {

    private static final int MOST_INTEGER_DIGITS = 15;
    private static final int MOST_WHOLE_DIGITS = 12;
    private static final int MOST_FRACTION_DIGITS = 3;

    private final String text;
    private int at;

    private StructuredItem(String text) {
        this.text = text;
    }

    /** The value of a field that must be a string; its parameters are checked and dropped. */
    public static String string(String field) throws MalformedField {
        StructuredItem item = new StructuredItem(field);
        item.skipSpaces();
        item.expectString();
        String value = item.string();
        item.end();
        return value;
    }

    /** The seconds of a field that must be a date. */
    public static long date(String field) throws MalformedField {
        StructuredItem item = new StructuredItem(field);
        item.skipSpaces();
        if (!item.next('@')) {
            throw new MalformedField(Fault.WRONG_TYPE, "A date begins with @.");
        }
        long seconds = item.date();
        item.end();
        return seconds;
    }

    private void end() throws MalformedField {
        parameters();
        skipSpaces();
        if (!atEnd()) {
            throw fault("There is something after the end of the value");
        }
    }

    private void expectString() throws MalformedField {
        if (atEnd()) {
            throw new MalformedField(Fault.EMPTY, "The key is empty; send at least one character between quotes.");
        }
        Type type = Type.of(text.charAt(at));
        if (type == Type.NONE) {
            throw fault("A key begins with a quote");
        }
        if (type != Type.STRING) {
            throw new MalformedField(
                    Fault.WRONG_TYPE, "The key must be a string between quotes; this is " + type.name + ".");
        }
    }

    private void parameters() throws MalformedField {
        while (next(';')) {
            at++;
            skipSpaces();
            parameterName();
            if (next('=')) {
                at++;
                bareItem();
            }
        }
    }

    private void parameterName() throws MalformedField {
        if (atEnd() || !(Ascii.isLower(text.charAt(at)) || next('*'))) {
            throw fault("A parameter has no name");
        }
        while (!atEnd() && isNameCharacter(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isNameCharacter(char c) {
        return Ascii.isLower(c) || Ascii.isDigit(c) || "_-.*".indexOf(c) >= 0;
    }

    private void bareItem() throws MalformedField {
        switch (atEnd() ? Type.NONE : Type.of(text.charAt(at))) {
            case STRING -> string();
            case NUMBER -> number();
            case TOKEN -> token();
            case BYTES -> byteSequence();
            case BOOLEAN -> bool();
            case DATE -> date();
            case DISPLAY -> displayString();
            case LIST, NONE -> throw fault("A parameter has no value after its =");
        }
    }

    private String string() throws MalformedField {
        StringBuilder value = new StringBuilder();
        at++;
        while (!atEnd()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return value.toString();
            }
            value.append(c == '\\' ? escaped() : visible(c));
        }
        throw fault("The closing quote is missing");
    }

    private char escaped() throws MalformedField {
        if (!next('"') && !next('\\')) {
            throw fault("Only a quote or a backslash can follow a backslash");
        }
        return text.charAt(at++);
    }

    private char visible(char c) throws MalformedField {
        if (c < ' ' || c > '~') {
            at--;
            throw fault(Ascii.name(c) + " cannot stand in a string");
        }
        return c;
    }

    private boolean number() throws MalformedField {
        if (next('-')) {
            at++;
        }
        int whole = digits();
        if (!next('.')) {
            if (whole == 0 || whole > MOST_INTEGER_DIGITS) {
                throw fault("An integer has from 1 to 15 digits");
            }
            return true;
        }
        at++;
        int fraction = digits();
        if (whole == 0 || whole > MOST_WHOLE_DIGITS || fraction == 0 || fraction > MOST_FRACTION_DIGITS) {
            throw fault("A decimal has from 1 to 12 digits before its point and from 1 to 3 after it");
        }
        return false;
    }

    private int digits() {
        int from = at;
        while (!atEnd() && Ascii.isDigit(text.charAt(at))) {
            at++;
        }
        return at - from;
    }

    private void token() {
        at++;
        while (!atEnd() && (Ascii.isToken(text.charAt(at)) || next(':') || next('/'))) {
            at++;
        }
    }

    private void byteSequence() throws MalformedField {
        int end = text.indexOf(':', at + 1);
        if (end < 0) {
            throw fault("The closing colon is missing");
        }
        try {
            Base64.getDecoder().decode(text.substring(at + 1, end));
        } catch (IllegalArgumentException e) {
            throw fault("What stands between the colons is not Base64");
        }
        at = end + 1;
    }

    private void bool() throws MalformedField {
        at++;
        if (!next('0') && !next('1')) {
            throw fault("A boolean is ?0 or ?1");
        }
        at++;
    }

    private long date() throws MalformedField {
        int from = ++at;
        if (!number()) {
            throw fault("A date is an integer");
        }
        return Long.parseLong(text.substring(from, at));
    }

    private void displayString() throws MalformedField {
        at++;
        if (!next('"')) {
            throw fault("A display string begins with %\"");
        }
        at++;
        ByteArrayOutputStream utf8 = new ByteArrayOutputStream();
        while (!next('"')) {
            if (atEnd()) {
                throw fault("The closing quote is missing");
            }
            char c = visible(text.charAt(at++));
            utf8.write(c == '%' ? (hexDigit() << 4) | hexDigit() : c);
        }
        at++;
        check(utf8.toByteArray());
    }

    private int hexDigit() throws MalformedField {
        int digit = atEnd() ? -1 : "0123456789abcdef".indexOf(text.charAt(at));
        if (digit < 0) {
            throw fault("Two lower-case hexadecimal digits follow a %");
        }
        at++;
        return digit;
    }

    private void check(byte[] utf8) throws MalformedField {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
        } catch (CharacterCodingException e) {
            throw fault("A display string is not UTF-8");
        }
    }

    private void skipSpaces() {
        while (next(' ')) {
            at++;
        }
    }

    private boolean next(char c) {
        return !atEnd() && text.charAt(at) == c;
    }

    private boolean atEnd() {
        return at == text.length();
    }

    private MalformedField fault(String what) {
        return new MalformedField(Fault.SYNTAX, what + ", at position " + at + ".");
    }

    /** The types of a structured field, told apart by their first character. */
    private enum Type {
        STRING("a string"),
        NUMBER("a number"),
        TOKEN("a token"),
        BYTES("a byte sequence"),
        BOOLEAN("a boolean"),
        DATE("a date"),
        DISPLAY("a display string"),
        LIST("an inner list"),
        NONE("nothing");

        private final String name;

        Type(String name) {
            this.name = name;
        }

        static Type of(char first) {
            if (Ascii.isDigit(first) || first == '-') {
                return NUMBER;
            }
            if (Ascii.isAlpha(first) || first == '*') {
                return TOKEN;
            }
            return switch (first) {
                case '"' -> STRING;
                case ':' -> BYTES;
                case '?' -> BOOLEAN;
                case '@' -> DATE;
                case '%' -> DISPLAY;
                case '(' -> LIST;
                default -> NONE;
            };
        }
    }
}
