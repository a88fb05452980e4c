// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import io.semel.Key;
import java.util.ArrayList;
import java.util.List;

/** Two keys that some store somewhere took for one; each part is appended to the scope of a test. */
public record Twins(String name, String scope, String id, String twinScope, String twinId) {

    private static final int[] LENGTHS = {17, 33, 37, 65, 129, 192, 256, 257, 513, 768, 769, 1000, Key.MAX_BYTES};

    public static List<Twins> all() {
        List<Twins> all = new ArrayList<>();
        addText(all);
        addUnicode(all);
        addSyntax(all);
        addBorders(all);
        addLengths(all);
        return all;
    }

    public Key first(String scope) {
        return Key.of(scope + this.scope, id);
    }

    public Key second(String scope) {
        return Key.of(scope + twinScope, twinId);
    }

    private static void addText(List<Twins> all) {
        ids(all, "upper and lower case", "Order-A", "order-a");
        ids(all, "a trailing space", "x", "x ");
        ids(all, "two trailing spaces", "x ", "x  ");
        ids(all, "a leading space", "x", " x");
        ids(all, "only spaces", " ", "  ");
        ids(all, "a trailing tab", "x", "x\t");
        ids(all, "a trailing line feed", "x", "x\n");
        ids(all, "line ends", "x\r\ny", "x\ny");
        ids(all, "a trailing NUL", "x", "x\0");
        ids(all, "what follows a NUL", "x\0y", "x\0z");
        ids(all, "only NULs", "\0", "\0\0");
        ids(all, "leading zeros", "7", "007");
        ids(all, "numbers", "10", "1e1");
        ids(all, "fractions", "1", "1.0");
        ids(all, "signs", "1", "+1");
        ids(all, "same hash code", "Aa", "BB");
        ids(all, "same CRC-32", "plumless", "buckeroo");
    }

    private static void addUnicode(List<Twins> all) {
        ids(all, "composed and decomposed", "caf\u00e9", "cafe\u0301");
        ids(all, "with and without accent", "caf\u00e9", "cafe");
        ids(all, "dotless i", "i", "\u0131");
        ids(all, "dotted I", "I", "\u0130");
        ids(all, "sharp s", "stra\u00dfe", "strasse");
        ids(all, "final sigma", "\u03c3", "\u03c2");
        ids(all, "Kelvin and K", "K", "\u212a");
        ids(all, "full width", "A", "\uff21");
        ids(all, "a ligature", "\ufb01", "fi");
        ids(all, "a no-break space", "a b", "a\u00a0b");
        ids(all, "a zero-width space", "ab", "a\u200bb");
        ids(all, "a soft hyphen", "ab", "a\u00adb");
        ids(all, "a byte order mark", "x", "\ufeffx");
        ids(all, "emoji", "\ud83d\ude00", "\ud83d\ude01");
        ids(all, "emoji and a question mark", "\ud83d\ude00", "?");
        ids(all, "emoji and four question marks", "\ud83d\ude00", "????");
        ids(all, "emoji and a replacement character", "\ud83d\ude00", "\ufffd");
        ids(all, "skin tones", "\ud83d\udc4d\ud83c\udffd", "\ud83d\udc4d\ud83c\udfff");
        ids(all, "hiragana and katakana", "\u3042", "\u30a2");
        ids(all, "non-characters", "\uffff", "\ufffe");
        ids(all, "the last code points", "\udbff\udfff", "\udbff\udffe");
        ids(all, "Latin-1 and its UTF-8 read as Latin-1", "\u00e9", "\u00c3\u00a9");
    }

    private static void addSyntax(List<Twins> all) {
        ids(all, "percent", "a%", "abc");
        ids(all, "underscore", "a_c", "abc");
        ids(all, "star", "a*", "abc");
        ids(all, "question mark", "a?c", "abc");
        ids(all, "brackets", "a[b]c", "abc");
        ids(all, "hash tags", "{a}b", "{a}c");
        ids(all, "hash tags and none", "{a}", "a");
        ids(all, "empty hash tags", "{}a", "{}b");
        ids(all, "quotes", "a'b", "a''b");
        ids(all, "double quotes", "a\"b", "ab");
        ids(all, "a backslash", "a\\b", "ab");
        ids(all, "an escaped backslash", "a\\\\b", "a\\b");
        ids(all, "an escape written out", "\\n", "\n");
        ids(all, "SQL", "x' OR '1'='1", "x");
        ids(all, "a SQL comment", "x--y", "x");
        ids(all, "a format", "%s%n$1", "%s%n$2");
        ids(all, "a placeholder", "${x}", "?1");
        ids(all, "percent encoding", "a%20b", "a b");
        ids(all, "plus for space", "a+b", "a b");
        ids(all, "HTML entities", "a&amp;b", "a&b");
        ids(all, "dots", "a/../b", "b");
        ids(all, "a trailing slash", "a", "a/");
        ids(all, "null", "null", "NULL");
        ids(all, "hexadecimal", "\\x41", "A");
    }

    private static void addBorders(List<Twins> all) {
        all.add(new Twins("same id in two scopes", "a", "x", "b", "x"));
        all.add(new Twins("scopes in upper and lower case", "a", "x", "A", "x"));
        all.add(new Twins("scopes with a trailing space", "a", "x", "a ", "x"));
        all.add(new Twins("scopes with a trailing NUL", "a", "x", "a\0", "x"));
        all.add(new Twins("scope and id swapped", "a", "b", "b", "a"));
        all.add(new Twins("the border", "a", "bc", "ab", "c"));
        for (String border :
                new String[] {"/", ":", "|", "\0", ".", "-", "_", "#", "~", ",", " ", "\n", "::", "\u001f"}) {
            String name = "the border, marked by " + Character.getName(border.charAt(0)) + " x " + border.length();
            all.add(new Twins(name, "a" + border + "b", "c", "a", "b" + border + "c"));
        }
    }

    private static void addLengths(List<Twins> all) {
        for (int length : LENGTHS) {
            String same = "x".repeat(length - 1);
            ids(all, length + " characters, of which the last differs", same + "y", same + "z");
            ids(all, length + " characters, of which the first differs", "y" + same, "z" + same);
        }
        String emoji = "\ud83d\ude00".repeat(Key.MAX_BYTES / 4 - 1);
        ids(all, "256 emoji, of which the last differs", emoji + "\ud83d\ude01", emoji + "\ud83d\ude02");
        String scope = "s".repeat(900);
        String id = "x".repeat(Key.MAX_BYTES - 1);
        all.add(new Twins("long scope and id, of which the last differs", scope, id + "y", scope, id + "z"));
        all.add(new Twins("long scopes, of which the last differs", scope + "y", id, scope + "z", id));
    }

    private static void ids(List<Twins> all, String name, String id, String twin) {
        all.add(new Twins(name, "", id, "", twin));
    }

    @Override
    public String toString() {
        return name;
    }
}
