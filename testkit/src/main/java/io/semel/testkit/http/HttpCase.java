// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A case of the profile: its number and what it says. */
record HttpCase(int number, String text) {

    private static final String OFF_THE_WIRE = "(rules) ";

    private static final List<String> TEXTS = List.of(
            "a quoted key is the text between the quotes",
            "`ietf`: a bare UUID that begins with a digit is a 400, and nothing runs",
            "`ietf`: a bare UUID that begins with a letter is a 400 too",
            "`lenient`: a key with quotes and without is one key",
            "an empty key is a 400",
            "`ietf`: escaped quotes and backslashes are part of a key",
            "`ietf`: unknown escapes, open strings and single quotes are a 400",
            "`ietf`: control characters and bytes beyond ASCII are a 400",
            "`ietf`: spaces around a key are dropped, anything else beside it is a 400",
            "`ietf`: parameters take no part in equality",
            "`ietf`: a dangling semicolon is a 400",
            "two lines with two keys are a 400",
            "two lines with the same key are a 400",
            "one line with two keys is a 400",
            "255 characters after unescaping are taken, 256 are a 400",
            "(rules) the parser copes with 1,024 characters",
            "`ietf`: dates, bytes, booleans, numbers and lists are a 400",
            "the header's name is in any case, the key's value is not",
            "keys with the metacharacters of stores are opaque",
            "a missing key is a 400 `missing-key` where one is required, and nothing is recorded",
            "a fresh key runs once, is answered without a marker, and leaves a record",
            "every repetition gets the same status and bytes, with the marker",
            "a replayed 201 is a 201 and has its `Location`",
            "another body is a 422 `key-reused`, and the first request still replays",
            "another query is a 422; other headers do not count",
            "another path or method is a 422",
            "JSON with its members in another order is a 422 by bytes, and a replay by meaning",
            "a new multipart boundary is a 422 by bytes, and a replay by parts",
            "a duplicate of a running request is a 409 `in-progress` with `Retry-After`",
            "the duplicate that got the 409 gets a replay later",
            "another payload under a running key is a 422, not a 409",
            "of many at once on two servers one runs, and none gets a 500",
            "a duplicate that waits gets the answer, or a 409 when its time is over",
            "without a key every request runs, and nothing is recorded",
            "keys on GET, HEAD and OPTIONS are ignored, malformed ones too",
            "a repeated DELETE gets the first 204 where DELETE takes part",
            "a route without support ignores keys, or refuses them with a 501",
            "after a recorded 422 a corrected body needs a new key",
            "a deterministic 4xx is replayed and does not run again",
            "401, 403 and 429 from in front of the handler leave no record",
            "a request that is refused before it runs may come corrected with its key",
            "problems have types that differ, their own status and readable JSON",
            "another principal's request with the same key runs by itself",
            "a caller that lost the right gets a 403 and not the stored answer",
            "joined: what throws leaves neither effect nor record, and a retry runs",
            "joined: an answer that committed and was never delivered is replayed",
            "joined: what was killed before its commit runs again, once",
            "a 500 is forgotten or held; silence meets the policy for abandoned calls",
            "a recorded 500 is replayed with the marker",
            "(rules) a resumable handler goes on at its recovery point: needs steps, which do not exist yet",
            "(rules) an unknown recovery point fails loudly: needs steps, which do not exist yet",
            "a holder that was overtaken cannot finish, and the second answer stands",
            "a holder that renews its lease is not overtaken",
            "an abandoned call runs again, is refused as unknown, or is looked up, by its policy",
            "retention counts from completion, and what runs does not expire by it",
            "no purge removes an answer within its retention",
            "between retention and the end of remembrance a key is a 410 `gone`, and free afterwards",
            "a request or a dated key from before the window is a 410 `gone` without any record",
            "a request or a dated key from the future is a 400, another first sending a 422",
            "a late duplicate after a deletion is replayed, and nothing is made anew",
            "what belongs to a connection is not replayed",
            "cookies, challenges, traces and rate limits are not replayed, listed cookies line by line",
            "a replay has a date and a length of its own",
            "a retry that does not accept gzip can read the replay",
            "an answer too large to keep leaves a 410 `result-unavailable`",
            "a store that cannot be reached is a 503, and nothing runs, unless the rules say otherwise");

    static Stream<HttpCase> all() {
        return IntStream.rangeClosed(1, TEXTS.size()).mapToObj(number -> new HttpCase(number, TEXTS.get(number - 1)));
    }

    /** Whether a client can see it; what it cannot see is tested on the rules alone. */
    boolean isOnTheWire() {
        return !text.startsWith(OFF_THE_WIRE);
    }

    String sentence() {
        return isOnTheWire() ? text : text.substring(OFF_THE_WIRE.length());
    }
}
