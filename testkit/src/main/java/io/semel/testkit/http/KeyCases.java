// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

/** Cases 1 to 20: which keys there are, and what is refused. */
interface KeyCases {

    @Case(value = 1, on = HttpSetting.QUOTED_KEYS)
    default void aQuotedUuidIsAKey(HttpBench bench) {
        WireResponse first = bench.send(bench.pay()).isFirst(201);

        bench.send(bench.pay()).replays(first);
    }

    @Case(
            value = {2, 3},
            on = HttpSetting.QUOTED_KEYS)
    default void aBareUuidIsRefusedWhereQuotesAreDemanded(HttpBench bench) {
        for (String start : List.of("8", "a")) {
            String bare = start + bench.key().substring(1);
            bench.send(bench.payAs(bare)).refuses(400, "malformed-key");
        }
        bench.ran(0);
    }

    @Case({1, 4})
    default void quotedAndBareSpellingsAreOneKey(HttpBench bench) {
        WireResponse first = bench.send(bench.pay()).isFirst(201);

        bench.send(bench.pay().instead("Idempotency-Key", bench.key())).replays(first);
        bench.ran(1);
    }

    @Case(value = 4, on = HttpSetting.BARE_KEYS)
    default void aQuotedKeyIsRefusedWhereQuotesAreForbidden(HttpBench bench) {
        bench.send(bench.pay()).refuses(400, "malformed-key");
        bench.send(bench.payAs(bench.key())).isFirst(201);
        bench.ran(1);
    }

    @Case({5, 14})
    default void emptyKeysAndListsOfKeysAreRefused(HttpBench bench) {
        refused(bench, "\"\"", "\"a\", \"b\"", "a,b");
    }

    @Case(
            value = {5, 14},
            on = HttpSetting.QUOTED_KEYS)
    default void emptyKeysAndListsOfKeysAreRefusedByQuotedDialects(HttpBench bench) {
        refused(bench, "\"\"", "\"a\", \"b\"");
    }

    @Case(
            value = {5, 14},
            on = HttpSetting.BARE_KEYS)
    default void emptyKeysAndListsOfKeysAreRefusedByBareDialects(HttpBench bench) {
        refused(bench, "\"\"", "\"a\", \"b\"", "a,b", "a b", "a;b");
    }

    @Case(value = 6, on = HttpSetting.QUOTED_KEYS)
    default void escapedQuotesAndBackslashesArePartOfAKey(HttpBench bench) {
        WireRequest escaped = bench.payAs("\"a\\\"b\\\\c\"");
        WireResponse first = bench.send(escaped).isFirst(201);

        bench.send(escaped).replays(first);
        bench.send(escaped.instead("Idempotency-Key", "\"abc\"")).isFirst(201);
        bench.ran(2);
    }

    @Case(
            value = {7, 9, 11, 17},
            on = HttpSetting.QUOTED_KEYS)
    default void anythingThatIsNoStringIsRefused(HttpBench bench) {
        refused(bench, "\"a\\,b\"", "\"abc", "\"abc\\", "'abc'", "\"abc\" x", "\"abc\",", "\"abc\";");
        refused(bench, "@1659578233", ":YWJj:", "?1", "12", "(\"a\")");
    }

    @Case({7, 9, 11, 17})
    default void whatBeginsWithAQuoteHasToBeAString(HttpBench bench) {
        refused(
                bench,
                "\"a\\,b\"",
                "\"abc",
                "'abc'",
                "\"abc\" x",
                "\"abc\",",
                "\"abc\";",
                "@1659578233",
                "(\"a\")",
                "a b",
                "a;b");
    }

    @Case(8)
    default void nothingButVisibleAsciiIsInAKey(HttpBench bench) {
        for (String value : List.of("\"a\tb\"", "\"a\u007fb\"", "\"a\u00fcb\"", "\"a\u0080b\"")) {
            bench.send(bench.payAs(value)).isBad(value);
        }
        bench.ran(0);
    }

    @Case(value = 8, on = HttpSetting.QUOTED_KEYS)
    default void nothingButVisibleAsciiIsInAQuotedKey(HttpBench bench) {
        nothingButVisibleAsciiIsInAKey(bench);
    }

    @Case(
            value = {9, 10},
            on = HttpSetting.QUOTED_KEYS)
    default void spacesAroundAKeyAndItsParametersDoNotCount(HttpBench bench) {
        WireResponse first = bench.send(bench.pay()).isFirst(201);

        for (String spelling : List.of("  \"%s\" ", "\"%s\";v=1;x", "\"%s\";v=2")) {
            String value = String.format(spelling, bench.key());
            bench.send(bench.pay().instead("Idempotency-Key", value)).replays(first);
        }
        bench.ran(1);
    }

    @Case({12, 13})
    default void twoLinesAreRefusedAlsoIfTheyAreEqual(HttpBench bench) {
        bench.send(bench.pay().key("\"other\"")).refuses(400, "malformed-key");
        bench.send(bench.pay().key('"' + bench.key() + '"')).refuses(400, "malformed-key");
        bench.ran(0);
    }

    @Case(
            value = {12, 13},
            on = HttpSetting.BARE_KEYS)
    default void twoBareLinesAreRefusedAlsoIfTheyAreEqual(HttpBench bench) {
        bench.send(bench.payAs("a").key("b")).refuses(400, "malformed-key");
        bench.send(bench.payAs("a").key("a")).refuses(400, "malformed-key");
        bench.ran(0);
    }

    @Case(15)
    default void aKeyHas255CharactersAfterUnescaping(HttpBench bench) {
        bench.send(bench.payAs('"' + "\\\\".repeat(255) + '"')).isFirst(201);
        bench.send(bench.payAs('"' + "\\\\".repeat(256) + '"')).refuses(400, "malformed-key");
        bench.send(bench.payAs("x".repeat(255))).isFirst(201);
        bench.send(bench.payAs("x".repeat(256))).refuses(400, "malformed-key");
        bench.ran(2);
    }

    @Case(18)
    default void theNameOfTheHeaderHasAnyCaseAndItsValueHasOne(HttpBench bench) {
        WireRequest lower = bench.unkeyed(Turn.paid());
        WireResponse first = bench.send(lower.header("idempotency-KEY", "key-" + bench.key()))
                .isFirst(201);

        bench.send(lower.key("key-" + bench.key())).replays(first);
        bench.send(lower.key("KEY-" + bench.key())).isFirst(201);
        bench.ran(2);
    }

    @Case(19)
    default void keysAreOpaqueToTheStore(HttpBench bench) {
        List<String> keys = List.of(
                "\"'; DROP TABLE semel_slot; --\"",
                "\"a%\"",
                "\"a_\"",
                "\"a*\"",
                "\"a\"",
                "\"{a}:b\"",
                "\"a\\\\\"",
                "\"$1\"");
        for (String each : keys) {
            WireResponse first = bench.send(bench.payAs(each)).isFirst(201);
            bench.send(bench.payAs(each)).replays(first);
        }
        bench.ran(keys.size());
    }

    @Case(value = 20, on = HttpSetting.KEYS_REQUIRED)
    default void aMissingKeyIsRefusedWhereOneIsRequired(HttpBench bench) {
        long before = bench.records();

        bench.send(bench.unkeyed(Turn.paid())).refuses(400, "missing-key");
        bench.ran(0);
        bench.recordedNothingSince(before);
    }

    private static void refused(HttpBench bench, String... values) {
        for (String value : values) {
            assertEquals("malformed-key", bench.send(bench.payAs(value)).problem(), () -> "the answer to " + value);
        }
        bench.ran(0);
    }
}
