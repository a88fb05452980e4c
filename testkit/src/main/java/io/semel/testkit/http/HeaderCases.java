// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Cases 61 to 64: the headers of a replay. */
interface HeaderCases {

    String EPOCH = "Thu, 01 Jan 1970 00:00:00 GMT";

    @Case(value = 61, on = HttpSetting.MORE_HEADERS)
    default void whatBelongsToAConnectionIsNotReplayed(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.paid()
                .with("Connection: X-Foo")
                .with("X-Foo: 1")
                .with("Keep-Alive: timeout=77")
                .with("Proxy-Authenticate: Basic")
                .with("Upgrade: h9"));
        WireResponse first = bench.send(pay).isFirst(201);

        WireResponse retry = bench.send(pay).replays(first);

        assertFalse(retry.has("X-Foo"), retry::toString);
        assertFalse(retry.has("Proxy-Authenticate"), retry::toString);
        assertFalse(retry.headers("Keep-Alive").contains("timeout=77"), retry::toString);
        assertFalse(retry.headers("Upgrade").contains("h9"), retry::toString);
    }

    @Case(value = 61, on = HttpSetting.MORE_HEADERS)
    default void aHeaderThatTheRulesAddIsReplayed(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.paid().with("X-Foo: 1"));
        bench.send(pay).isFirst(201);

        assertEquals(List.of("1"), bench.send(pay).headers("X-Foo"));
    }

    @Case(62)
    default void whatBelongsToAnExchangeOrASessionIsNotReplayed(HttpBench bench) {
        List<String> lines = List.of(
                "Set-Cookie: a=1; Expires=Sun, 15 Nov 2026 10:00:00 GMT",
                "Set-Cookie: b=2",
                "WWW-Authenticate: Bearer",
                "Clear-Site-Data: \"cookies\"",
                "X-Request-Id: 1",
                "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "Server-Timing: db;dur=1",
                "RateLimit: limit=10",
                "X-RateLimit-Remaining: 9");
        Turn turn = Turn.paid();
        for (String line : lines) {
            turn = turn.with(line);
        }
        WireRequest pay = bench.pay(turn);
        WireResponse first = bench.send(pay).isFirst(201);
        assertEquals(2, first.headers("Set-Cookie").size(), first::toString);

        WireResponse retry = bench.send(pay).replays(first);

        for (String line : lines) {
            String[] parts = line.split(": ", 2);
            assertFalse(retry.headers(parts[0]).contains(parts[1]), () -> parts[0] + " of " + retry);
        }
    }

    @Case(62)
    default void whatWasSaidToOneOriginIsNotReplayed(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.paid().with("Access-Control-Allow-Origin: *"));
        WireResponse first = bench.send(pay).isFirst(201);

        assertFalse(bench.send(pay).replays(first).has("Access-Control-Allow-Origin"));
    }

    @Case(value = 62, on = HttpSetting.MORE_HEADERS)
    default void cookiesThatAreListedComeBackLineByLine(HttpBench bench) {
        List<String> cookies = List.of("a=1; Expires=Sun, 15 Nov 2026 10:00:00 GMT", "b=2");
        WireRequest pay =
                bench.pay(Turn.paid().with("Set-Cookie: " + cookies.get(0)).with("Set-Cookie: " + cookies.get(1)));
        WireResponse first = bench.send(pay).isFirst(201);

        assertEquals(cookies, first.headers("Set-Cookie"));
        assertEquals(cookies, bench.send(pay).replays(first).headers("Set-Cookie"));
    }

    @Case({23, 62})
    default void whatDescribesTheAnswerIsReplayed(HttpBench bench) {
        List<String> lines = List.of(
                "Content-Language: tr",
                "Content-Disposition: attachment; filename=\"a\"",
                "Content-Location: /payments/1",
                "ETag: \"1\"",
                "Last-Modified: Sun, 15 Nov 2026 10:00:00 GMT",
                "Link: </a>; rel=a",
                "Link: </b>; rel=b",
                "Cache-Control: no-store",
                "Deprecation: @1688169599",
                "Sunset: Sun, 15 Nov 2026 10:00:00 GMT");
        Turn turn = Turn.paid();
        for (String line : lines) {
            turn = turn.with(line);
        }
        WireRequest pay = bench.pay(turn);
        WireResponse first = bench.send(pay).isFirst(201);

        WireResponse retry = bench.send(pay).replays(first);

        for (String line : lines) {
            String name = line.split(": ", 2)[0];
            List<String> values = lines.stream()
                    .filter(each -> each.startsWith(name + ": "))
                    .map(each -> each.substring(name.length() + 2))
                    .toList();
            assertEquals(values, retry.headers(name), () -> name + " of " + retry);
        }
    }

    @Case(63)
    default void aReplayHasADateAndALengthOfItsOwn(HttpBench bench) {
        WireRequest pay = bench.pay(Turn.paid().with("Date: " + EPOCH));
        WireResponse first = bench.send(pay).isFirst(201);
        bench.servers().elapse(Duration.ofHours(1));

        WireResponse retry = bench.send(pay).replays(first);

        assertFalse(retry.headers("Date").contains(EPOCH), retry::toString);
        assertTrue(retry.headers("Date").size() <= 1, retry::toString);
        assertEquals(List.of(Integer.toString(first.body().length)), retry.headers("Content-Length"));
    }

    @Case(63)
    default void aReplayHasADateWhereFirstAnswersHaveOne(HttpBench bench) {
        WireResponse first = bench.send(bench.pay()).isFirst(201);

        WireResponse retry = bench.send(bench.pay()).replays(first);

        assertEquals(first.headers("Date").size(), retry.headers("Date").size(), retry::toString);
    }

    @Case(64)
    default void aRetryThatDoesNotAcceptGzipCanReadTheReplay(HttpBench bench) throws IOException {
        WireRequest pay = bench.pay(Turn.paid().packed());
        WireRequest accepting = pay.header("Accept-Encoding", "gzip");
        WireResponse first = bench.send(accepting).isFirst(201);
        assertEquals("payment 1", unpacked(first));

        WireResponse plain = bench.send(pay.header("Accept-Encoding", "identity"));

        assertTrue(plain.replayed(), plain::toString);
        assertEquals("payment 1", plain.text());
        assertFalse(plain.has("Content-Encoding"), plain::toString);
        bench.send(accepting).replays(first);
        bench.ran(1);
    }

    private static String unpacked(WireResponse got) throws IOException {
        assertEquals(List.of("gzip"), got.headers("Content-Encoding"));
        byte[] plain = new GZIPInputStream(new ByteArrayInputStream(got.body())).readAllBytes();
        return new String(plain, StandardCharsets.UTF_8);
    }
}
