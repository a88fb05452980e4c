// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

/** What a door can do wrong, and the case that it breaks. */
enum Fault {
    COUNTS_QUOTES(4),
    TAKES_EMPTY_KEYS(5),
    TAKES_THE_FIRST_OF_TWO_KEYS(12),
    CUTS_LONG_KEYS(15),
    FOLDS_CASE(18),
    RUNS_WITHOUT_A_DEMANDED_KEY(20),
    MARKS_FIRST_ANSWERS(21),
    REPLAYS_WITHOUT_A_MARKER(22),
    REPLAYS_AS_200(23),
    FORGETS_LOCATIONS(23),
    COMPARES_NO_BODIES(24),
    COMPARES_NO_QUERIES(25),
    COMPARES_CREDENTIALS(25),
    COMPARES_NO_PATHS(26),
    RUNS_WHEN_BUSY(29),
    FORGETS_TO_ASK_FOR_A_RETRY(29),
    CALLS_A_MISMATCH_BUSY(31),
    NEVER_WAITS(33),
    LOOKS_AT_READS(35),
    FORGETS_REFUSALS(39),
    RECORDS_WHAT_TIME_CAN_MEND(40),
    ASKS_BEFORE_THE_FRONT(44),
    HAS_ONE_PROBLEM(42),
    SHARES_KEYS(43),
    RECORDS_ERRORS(48),
    FORGETS_EVERY_ERROR(49),
    RERUNS_WHAT_IS_UNKNOWN(54),
    RENEWS_NO_LEASE(53),
    RERUNS_WHAT_IS_GONE(57),
    REPLAYS_CONNECTION_HEADERS(61),
    REPLAYS_COOKIES(62),
    JOINS_COOKIES(62),
    REPLAYS_GZIP_TO_ALL(64),
    RERUNS_WHAT_WAS_NOT_KEPT(65),
    FAILS_OPEN(66);

    private final int breaks;

    Fault(int breaks) {
        this.breaks = breaks;
    }

    int breaks() {
        return breaks;
    }
}
