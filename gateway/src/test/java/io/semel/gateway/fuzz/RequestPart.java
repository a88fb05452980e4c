// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** A piece of a request that can be wrong in ways of its own. */
record RequestPart(Kind kind, String text) {

    enum Kind {
        METHOD,
        SPACE,
        TARGET,
        VERSION,
        STATUS,
        END,
        FIELD,
        SIZE,
        CHUNK_END,
        DATA
    }

    private static final List<String> METHODS =
            List.of("post", "G ET", "", "CONNECT", "TRACE", "GET\t", "HEAD", "G\u0000T");
    private static final List<String> SPACES = List.of("  ", "\t", "", " \u000b", "\u000c", "\r\n ");
    private static final List<String> VERSIONS = List.of(
            "HTTP/1.0",
            "HTTP/1.0",
            "HTTP/1.2",
            "http/1.1",
            "HTTP/2.0",
            "HTTP/1.1 ",
            "HTTP/01.1",
            "HTTP/1.10",
            "",
            "HTTP/1.1 x");
    private static final List<String> ENDS =
            List.of("\n", "\n", "\r", "\r\n ", "\r\n\t", "\n\r", "\r\r\n", "", "\r\n\r\n", "\u0000\r\n");
    private static final List<String> CHUNK_ENDS = List.of("xx", "\n\r", "\n", "", "\r\r", "\r\n\r\n", "\r", " \r\n");
    private static final List<String> FIELDS = List.of(
            "Content-Length: 5",
            "Content-Length: 0",
            "Content-Length : 5",
            "Content-Length: 5, 5",
            "Content-Length: 5,6",
            "Content-Length: +5",
            "Content-Length: -5",
            "Content-Length: 0x5",
            "Content-Length: 5 5",
            "Content-Length:",
            "Content-Length: 99999999999999999999",
            "Content_Length: 5",
            "Transfer-Encoding: chunked",
            "Transfer-Encoding: Chunked",
            "Transfer-Encoding:\tchunked",
            "Transfer-Encoding : chunked",
            "Transfer-Encoding: identity",
            "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: chunked, chunked",
            "Transfer-Encoding: chunked, identity",
            "Transfer-Encoding: chunked;a=b",
            "Transfer-Encoding: \u000bchunked",
            "Transfer-Encoding: x",
            "Transfer-Encoding:",
            "Transfer-Encoding\u0000: chunked",
            "Connection: close",
            "Connection: keep-alive",
            "Connection: keep-alive, close",
            "Connection: Content-Length",
            "Connection: Transfer-Encoding, Host",
            "Expect: 100-continue",
            "Expect: other",
            "Host: other",
            "Host : other",
            "Upgrade: h2c",
            "Upgrade: websocket",
            "Trailer: X-Id",
            " folded",
            "\tContent-Length: 5",
            "NoColon",
            "X: \u0000",
            "X: a\rb",
            "X(: a",
            "X Y: a",
            ": nameless",
            "X: \u007f");

    /** So many of them, from the first, say where a body ends. */
    private static final int FRAMING = 25;

    private static final List<String> STATUSES = List.of(
            "99", "099", "1000", "-20", "20", "2OO", "", "+200", "0200", "200.0", "101", "100", "204", "304", "999");

    /** Makes one part wrong, most often one that says where a body ends. */
    static void spoil(List<RequestPart> parts, Random random) {
        List<Kind> kinds =
                parts.stream().map(RequestPart::kind).distinct().sorted().toList();
        List<Kind> likely = List.of(Kind.FIELD, Kind.FIELD, Kind.SIZE, Kind.CHUNK_END);
        Kind wanted = likely.get(random.nextInt(likely.size()));
        boolean framing = random.nextBoolean() && kinds.contains(wanted);
        Kind kind = framing ? wanted : kinds.get(random.nextInt(kinds.size()));
        List<Integer> places = IntStream.range(0, parts.size())
                .filter(i -> parts.get(i).kind == kind)
                .boxed()
                .toList();
        int at = places.get(random.nextInt(places.size()));
        switch (random.nextInt(6)) {
            case 0 -> move(parts, at, random);
            case 1 -> insert(parts, at, random);
            default -> parts.set(at, parts.get(at).spoilt(random));
        }
    }

    /** Drops a part, or has it twice. */
    private static void move(List<RequestPart> parts, int at, Random random) {
        if (random.nextBoolean()) {
            parts.remove(at);
        } else {
            parts.add(at, parts.get(at));
        }
    }

    /** A line more, behind the next one that ends. */
    private static void insert(List<RequestPart> parts, int at, Random random) {
        int place = at;
        while (place < parts.size() && parts.get(place).kind != Kind.END) {
            place++;
        }
        place = Math.min(place + 1, parts.size());
        parts.add(place, new RequestPart(Kind.END, "\r\n"));
        parts.add(place, new RequestPart(Kind.FIELD, any(FIELDS, random)));
    }

    private RequestPart spoilt(Random random) {
        return new RequestPart(
                kind,
                switch (kind) {
                    case METHOD -> any(METHODS, random);
                    case SPACE -> any(SPACES, random);
                    case TARGET -> target(random);
                    case VERSION -> any(VERSIONS, random);
                    case STATUS -> any(STATUSES, random);
                    case END -> any(ENDS, random);
                    case FIELD -> field(random);
                    case SIZE -> size(random);
                    case CHUNK_END -> any(CHUNK_ENDS, random);
                    case DATA -> random.nextBoolean() ? text + "x" : text.replaceFirst("^.", "");
                });
    }

    private String target(Random random) {
        String query = text.substring(text.indexOf('?'));
        List<String> odd = List.of(
                "/a//b",
                "/a/../b",
                "/%61",
                "/a;b",
                "/a%2fb",
                "http://shop/a",
                "http://shop",
                "//a",
                "/a b",
                "/a#b",
                "*",
                "a",
                "/\u00e4");
        return any(odd, random) + query;
    }

    private String field(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> text.replaceFirst(":", " :");
            case 1 ->
                text.replaceFirst(": ?", ":" + any(List.of("", "\t", "\u000b", " \r\n ", "\u0000", " \u0001"), random));
            case 2 -> text.replaceFirst("$", any(List.of(" ", "\t", ", 5", "\u0000", "\r", "\n"), random));
            default -> any(random.nextBoolean() ? FIELDS.subList(0, FRAMING) : FIELDS, random) + "\r\n" + text;
        };
    }

    private String size(Random random) {
        return any(
                List.of(
                        "+" + text,
                        "-" + text,
                        text + " ",
                        text + "\t",
                        " " + text,
                        "0x" + text,
                        "00000000000000000" + text,
                        "100000000"
                                + "0"
                                        .repeat(Math.max(
                                                0,
                                                8 - text.replaceFirst(";.*", "").length())) + text,
                        "1" + text,
                        "g",
                        "",
                        text + ";",
                        text + ";a=\"b\r\n",
                        text + ";\nX",
                        text + ";\r",
                        text + " ;a",
                        text + "\u0000"),
                random);
    }

    private static String any(List<String> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }
}
