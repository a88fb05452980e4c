// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

/** The content of a key header: no key, a key, or the reason why there is none. */
public sealed interface KeyField {

    /** There is no such field. */
    record Absent() implements KeyField {}

    /** The key, without quotes and escapes. */
    record Present(String key) implements KeyField {}

    /** Something is there, and it is not a key; the detail never repeats what was sent. */
    record Malformed(Fault fault, String detail) implements KeyField {}

    /** The fault of a malformed field. */
    enum Fault {
        /** More than one field line, whether equal or not. */
        REPEATED,
        /** Nothing, or nothing between the quotes. */
        EMPTY,
        /** More characters than allowed. */
        TOO_LONG,
        /** A structured field of another type than a string. */
        WRONG_TYPE,
        /** Anything else that the dialect does not allow. */
        SYNTAX
    }
}
