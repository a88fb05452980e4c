// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import java.util.List;

/** Cases 24 to 28: what is the same request, and what is another. */
interface ComparisonCases {

    @Case(24)
    default void anotherBodyIsRefusedAndTheFirstRequestStillReplays(HttpBench bench) {
        WireResponse first = bench.send(bench.pay()).isFirst(201);

        bench.send(bench.pay().saying("{}")).refuses(422, "key-reused");
        bench.send(bench.pay().saying("")).refuses(422, "key-reused");
        bench.send(bench.pay()).replays(first);
        bench.ran(1);
    }

    @Case(24)
    default void anotherMediaTypeIsRefused(HttpBench bench) {
        bench.send(bench.pay()).isFirst(201);

        bench.send(bench.pay().instead("Content-Type", "text/plain")).refuses(422, "key-reused");
        bench.ran(1);
    }

    @Case(25)
    default void anotherQueryIsRefused(HttpBench bench) {
        bench.send(bench.pay().at("/payments?a=1")).isFirst(201);

        for (String target : List.of("/payments", "/payments?a=2", "/payments?a=1&b=2", "/payments?b=2&a=1")) {
            bench.send(bench.pay().at(target)).refuses(422, "key-reused");
        }
        bench.ran(1);
    }

    @Case(25)
    default void headersThatSayNothingAboutTheRequestDoNotCount(HttpBench bench) {
        WireResponse first = bench.send(
                        bench.pay().header("Authorization", "Bearer 1").header("User-Agent", "a"))
                .isFirst(201);

        bench.send(bench.pay()
                        .header("Authorization", "Bearer 2")
                        .header("User-Agent", "b")
                        .header("Date", "Thu, 01 Jan 1970 00:00:00 GMT")
                        .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                        .header("Accept-Encoding", "identity"))
                .replays(first);
        bench.ran(1);
    }

    @Case(26)
    default void anotherPathOrMethodIsRefused(HttpBench bench) {
        WireResponse first = bench.send(bench.pay()).isFirst(201);

        bench.send(bench.pay().at("/refunds")).refuses(422, "key-reused");
        bench.send(bench.pay().by("PATCH")).refuses(422, "key-reused");
        bench.send(bench.pay()).replays(first);
        bench.ran(1);
    }

    @Case(26)
    default void aPathIsComparedAsItWasSent(HttpBench bench) {
        bench.send(bench.pay()).isFirst(201);

        bench.send(bench.pay().at("/p%61yments")).refuses(422, "key-reused");
        bench.ran(1);
    }

    @Case(27)
    default void membersInAnotherOrderAreAnotherRequestByBytes(HttpBench bench) {
        bench.send(bench.pay().saying("{\"a\":1,\"b\":2}")).isFirst(201);

        bench.send(bench.pay().saying("{\"b\":2,\"a\":1}")).refuses(422, "key-reused");
    }

    @Case(value = 27, on = HttpSetting.JSON_BY_MEANING)
    default void membersInAnotherOrderAreTheSameRequestByMeaning(HttpBench bench) {
        WireResponse first = bench.send(bench.pay().saying("{\"a\":1,\"b\":2}")).isFirst(201);

        bench.send(bench.pay().saying("{\"b\": 2, \"a\": 1.0}")).replays(first);
        bench.send(bench.pay().saying("{\"b\":2,\"a\":3}")).refuses(422, "key-reused");
        bench.ran(1);
    }

    @Case(28)
    default void aNewBoundaryIsAnotherRequestByBytes(HttpBench bench) {
        bench.send(form(bench, "one", "1")).isFirst(201);

        bench.send(form(bench, "two", "1")).refuses(422, "key-reused");
    }

    @Case(value = 28, on = HttpSetting.FORMS_BY_PARTS)
    default void aNewBoundaryIsTheSameRequestByParts(HttpBench bench) {
        WireResponse first = bench.send(form(bench, "one", "1")).isFirst(201);

        bench.send(form(bench, "two", "1")).replays(first);
        bench.send(form(bench, "two", "2")).refuses(422, "key-reused");
        bench.ran(1);
    }

    private static WireRequest form(HttpBench bench, String boundary, String value) {
        return bench.pay()
                .instead("Content-Type", "multipart/form-data; boundary=" + boundary)
                .saying("--" + boundary + "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n" + value + "\r\n--"
                        + boundary + "--\r\n");
    }
}
