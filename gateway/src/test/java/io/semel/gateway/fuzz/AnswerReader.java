// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the answers of one connection strictly. */
final class AnswerReader {

    /**
     * One answer.
     *
     * @param ends whether nothing can follow it, because only the end of the connection is its own
     */
    record Answered(int status, Fields fields, String body, boolean ends) {

        /** What the service put into it about the request. */
        String echo() {
            return fields.one("x-echo");
        }
    }

    private final OctetReader octets;

    AnswerReader(InputStream in) {
        this(in, Set.of());
    }

    private AnswerReader(InputStream in, Set<Fault> faults) {
        this.octets = new OctetReader(in, faults);
    }

    /** As a proxy reads a service: RFC 9112 has it take white space off that is before a colon, which is a fault in a request. */
    static AnswerReader ofProxy(InputStream in) {
        return new AnswerReader(in, Set.of(Fault.SPACE_BEFORE_COLON));
    }

    /**
     * The next answer that is not an interim one; null where there is none any more.
     *
     * @param toHead whether HEAD was asked; null where that is to be seen from what follows, or from what the service echoes
     */
    @Nullable
    Answered next(@Nullable Boolean toHead) throws IOException {
        while (true) {
            if (octets.isAtEnd()) {
                return null;
            }
            String line = octets.line();
            int status = status(line);
            Fields fields = octets.fields();
            if (status == 101) {
                return new Answered(status, fields, "", true);
            }
            if (status >= 200) {
                return answer(status, fields, toHead, line.startsWith("HTTP/1.0"));
            }
        }
    }

    private static int status(String line) throws Malformed {
        if (!line.matches("HTTP/1\\.[01] [1-9][0-9][0-9]( [^\\x00-\\x08\\x0a-\\x1f\\x7f]*)?")) {
            throw new Malformed("status line: " + line);
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    private Answered answer(int status, Fields fields, @Nullable Boolean toHead, boolean old) throws IOException {
        List<String> lengths = fields.all("content-length");
        List<String> codings = fields.all("transfer-encoding");
        check(lengths, codings, old);
        boolean head = toHead != null ? toHead : isToHead(fields);
        if (head || status == 204 || status == 304) {
            return new Answered(status, fields, "", false);
        }
        if (!codings.isEmpty()) {
            return new Answered(status, fields, octets.chunks(), false);
        }
        if (!lengths.isEmpty()) {
            return new Answered(status, fields, octets.exactly(Long.parseLong(lengths.get(0))), false);
        }
        return new Answered(status, fields, octets.toTheEnd(), true);
    }

    private static void check(List<String> lengths, List<String> codings, boolean old) throws Malformed {
        boolean length =
                lengths.isEmpty() || (lengths.size() == 1 && lengths.get(0).matches("[0-9]{1,18}"));
        boolean coding =
                codings.isEmpty() || (codings.size() == 1 && codings.get(0).equalsIgnoreCase("chunked") && !old);
        if (!length || !coding || (!lengths.isEmpty() && !codings.isEmpty())) {
            throw new Malformed("framing: " + lengths + " " + codings);
        }
    }

    private boolean isToHead(Fields fields) throws IOException {
        return fields.has("x-echo") ? fields.one("x-echo-method").equals("HEAD") : octets.isAtEndOrAnswer();
    }
}
