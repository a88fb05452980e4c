// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.http;

import io.netty.buffer.ByteBuf;

/** Checks the raw lines of a message's head before a lenient decoder joins or skips parts of them. */
public final class HeadSyntax {

    private static final int VERSION = "HTTP/1.1".length();
    private static final int STATUS_BEGIN = "HTTP/1.1 ".length();
    private static final int STATUS_END = "HTTP/1.1 200".length();

    /** A line of the head that begins with white space continues the one before, for some; RFC 9112 lets us refuse it. */
    public static boolean hasFold(ByteBuf buffer) {
        int from = buffer.readerIndex();
        int end = buffer.writerIndex();
        while (from < end) {
            byte first = buffer.getByte(from);
            if (first == ' ' || first == '\t') {
                return true;
            }
            if (first == '\r' || first == '\n') {
                return false;
            }
            int newline = buffer.indexOf(from, end, (byte) '\n');
            if (newline < 0) {
                return false;
            }
            from = newline + 1;
        }
        return false;
    }

    /** Whether a whole line of the head, the first one left out or not, is not a name and a colon: Netty makes a name of anything. */
    public static boolean hasOddName(ByteBuf buffer, boolean behindFirst) {
        int end = buffer.writerIndex();
        int from = behindFirst ? behindLine(buffer, buffer.readerIndex()) : buffer.readerIndex();
        for (int next = behindLine(buffer, from); next > 0 && from < end; next = behindLine(buffer, from)) {
            byte first = buffer.getByte(from);
            if (first == '\r' || first == '\n') {
                return false;
            }
            if (!isNamed(buffer, from, next)) {
                return true;
            }
            from = next;
        }
        return false;
    }

    /** Zero where the line is not whole. */
    private static int behindLine(ByteBuf buffer, int from) {
        return buffer.indexOf(from, buffer.writerIndex(), (byte) '\n') + 1;
    }

    /** White space before the colon is for a proxy to take off, by RFC 9112. */
    private static boolean isNamed(ByteBuf buffer, int from, int end) {
        int colon = buffer.indexOf(from, end, (byte) ':');
        int length = colon;
        while (length > from && (buffer.getByte(length - 1) == ' ' || buffer.getByte(length - 1) == '\t')) {
            length--;
        }
        for (int i = from; i < length; i++) {
            int next = buffer.getUnsignedByte(i);
            boolean alphanumeric =
                    (next >= '0' && next <= '9') || (next >= 'A' && next <= 'Z') || (next >= 'a' && next <= 'z');
            if (!alphanumeric && "!#$%&'*+-.^_`|~".indexOf(next) < 0) {
                return false;
            }
        }
        return length > from;
    }

    public static boolean hasLine(ByteBuf buffer) {
        return buffer.indexOf(buffer.readerIndex(), buffer.writerIndex(), (byte) '\n') >= 0;
    }

    /** Whether the first line is three words, the last a version, and two spaces: Netty takes any number of them, and other characters, for one. */
    public static boolean isRequestLine(ByteBuf buffer) {
        int end = buffer.indexOf(buffer.readerIndex(), buffer.writerIndex(), (byte) '\n');
        int spaces = 0;
        for (int i = buffer.readerIndex(); i < end; i++) {
            int next = buffer.getUnsignedByte(i);
            boolean endsIt = next == '\r' && i == end - 1;
            if (next == ' ') {
                spaces++;
            } else if ((next < ' ' && !endsIt) || next == 0x7f) {
                return false;
            }
        }
        int length = end > buffer.readerIndex() && buffer.getByte(end - 1) == '\r' ? end - 1 : end;
        return spaces == 2 && isVersion(buffer, length - VERSION);
    }

    /** HTTP/1, as it is written: Netty takes small letters and more digits too, and where a message of HTTP/2.0 ends is not ours to say. */
    private static boolean isVersion(ByteBuf buffer, int from) {
        if (from < buffer.readerIndex()) {
            return false;
        }
        for (int i = 0; i < VERSION; i++) {
            char pattern = "HTTP/1.0".charAt(i);
            int next = buffer.getUnsignedByte(from + i);
            boolean digit = next >= '0' && next <= '9';
            if (pattern == '0' ? !digit : next != pattern) {
                return false;
            }
        }
        return true;
    }

    /** Whether the first line has one space before and behind a status of three digits, and no control characters in its reason. */
    public static boolean isStatusLine(ByteBuf buffer) {
        int from = buffer.readerIndex();
        int end = buffer.indexOf(from, buffer.writerIndex(), (byte) '\n');
        int length = end - from - (end > from && buffer.getByte(end - 1) == '\r' ? 1 : 0);
        boolean framed = length >= STATUS_END
                && buffer.getByte(from + STATUS_BEGIN - 1) == ' '
                && isVersion(buffer, from)
                && (length == STATUS_END || buffer.getByte(from + STATUS_END) == ' ');
        for (int i = 0; framed && i < length; i++) {
            int next = buffer.getUnsignedByte(from + i);
            boolean digit = next >= '0' && next <= '9';
            boolean status = i >= STATUS_BEGIN && i < STATUS_END;
            framed = status ? digit : next == '\t' || (next >= ' ' && next != 0x7f);
        }
        return framed;
    }

    /** Skips empty lines before a head, which old clients send after a body. */
    public static void skipEmpty(ByteBuf buffer) {
        while (buffer.isReadable()) {
            byte next = buffer.getByte(buffer.readerIndex());
            if (next != '\r' && next != '\n') {
                return;
            }
            buffer.skipBytes(1);
        }
    }

    private HeadSyntax() {}
}
