// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

/** A way in which a proxy can be wrong: each of them is in the zoo, where the fuzzer has to find it. */
enum Fault {
    /** A line ends with LF alone. */
    BARE_LF,
    /** A CR alone is a space. */
    BARE_CR,
    /** A line that begins with white space continues the one before. */
    FOLD,
    /** White space before a colon is taken off. */
    SPACE_BEFORE_COLON,
    /** A line without a colon is left out. */
    NO_COLON,
    /** Control characters are in values. */
    CONTROLS,
    /** Names of headers may be anything. */
    ANY_NAME,
    /** Of two hosts the first is taken. */
    TWO_HOSTS,
    /** Whatever stands behind the target is the version. */
    ANY_VERSION,
    /** Several spaces are one. */
    SPACES,
    /** Of two lengths the first is taken. */
    FIRST_LENGTH,
    /** Of two lengths the last is taken. */
    LAST_LENGTH,
    /** A list of lengths is its first. */
    LISTED_LENGTH,
    /** A length may have a sign. */
    SIGNED_LENGTH,
    /** A length that is no number is none. */
    WRONG_LENGTH_IGNORED,
    /** With a length and a coding the length is taken. */
    LENGTH_BEFORE_CODING,
    /** With a length and a coding the coding is taken. */
    CODING_BEFORE_LENGTH,
    /** Any coding is chunked. */
    ANY_CODING_IS_CHUNKED,
    /** A coding that is not just chunked is none. */
    UNKNOWN_CODING_IGNORED,
    /** HTTP/1.0 has chunks too. */
    OLD_CHUNKS,
    /** Chunk sizes may have a sign. */
    SIGNED_CHUNK,
    /** Chunk sizes may have spaces behind them. */
    SPACE_BEHIND_CHUNK,
    /** Chunk sizes may begin with 0x. */
    CHUNK_WITH_PREFIX,
    /** Digits of a chunk size that are too many are forgotten. */
    CHUNK_OVERFLOW,
    /** Chunks end where they end, whatever is there. */
    CHUNK_END_UNCHECKED,
    /** Extensions of chunks may be anything that ends with LF. */
    CHUNK_EXTENSION_UNCHECKED,
    /** The body ends with the last chunk, before its trailers. */
    TRAILERS_LEFT,
    /** The connection goes on behind a request that says it is the last. */
    CLOSE_IGNORED,
    /** A body loses its last byte. */
    BODY_CUT,
    /** HEAD becomes GET. */
    HEAD_BECOMES_GET,
    /** A pipelined HEAD takes the body off the answer before it. */
    HEAD_TAKES_THE_BODY_BEFORE,
    /** The answer to HEAD has a body. */
    HEAD_HAS_A_BODY,
    /** Two pipelined requests get each other's answers. */
    ANSWERS_SWAPPED,
    /** One of several answers is left out. */
    ANSWER_LOST,
    /** A request is sent twice. */
    SENT_TWICE,
    /** An answer is given twice. */
    ANSWER_TWICE,
    /** A valid request is refused. */
    REFUSES_CHUNKS
}
