// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the requests of one connection strictly: what it does not take no proxy should pass on. */
final class RequestReader {

    private final OctetReader octets;
    private boolean last;

    RequestReader(InputStream in, Set<Fault> faults) {
        this.octets = new OctetReader(in, faults);
    }

    /** The requests at the beginning of these bytes that are as they should be. */
    static List<ReceivedRequest> read(byte[] bytes) {
        RequestReader reader = new RequestReader(new ByteArrayInputStream(bytes), Set.of());
        List<ReceivedRequest> all = new ArrayList<>();
        try {
            for (ReceivedRequest next = reader.next(); next != null; next = reader.next()) {
                if (next.error().isEmpty()) {
                    all.add(next);
                }
            }
            return all;
        } catch (Malformed | EOFException e) {
            return all;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Null where there is none any more. One that is to be refused, but ends where it says, has an error. */
    @Nullable
    ReceivedRequest next() throws IOException {
        String line = last ? null : octets.firstLine();
        if (line == null) {
            return null;
        }
        String[] parts = line.split(octets.has(Fault.SPACES) ? " +" : " ", -1);
        checkLine(line, parts);
        Fields fields = octets.fields();
        boolean old = parts[2].equals("HTTP/1.0");
        String error = wrongHost(fields, old);
        String body = body(fields, old);
        boolean kept = old ? fields.lists("connection", "keep-alive") : !fields.lists("connection", "close");
        last = !kept && !octets.has(Fault.CLOSE_IGNORED);
        return new ReceivedRequest(
                parts[0], parts[1], fields.one("x-id"), body, parts[2].matches("HTTP/1\\.[01]") ? error : "version");
    }

    private void checkLine(String line, String[] parts) throws Malformed {
        boolean version = parts.length == 3 && (parts[2].matches("HTTP/1\\.[0-9]") || octets.has(Fault.ANY_VERSION));
        boolean whole = version && OctetReader.TOKEN.matcher(parts[0]).matches() && !parts[1].isEmpty();
        if (!whole || !parts[1].chars().allMatch(c -> c > ' ' && c != 0x7f)) {
            throw new Malformed("request line: " + line);
        }
    }

    private String wrongHost(Fields fields, boolean old) {
        int hosts = fields.all("host").size();
        boolean fine = hosts == 1 || (hosts == 0 && old) || (hosts > 1 && octets.has(Fault.TWO_HOSTS));
        return fine ? "" : hosts + " hosts";
    }

    private String body(Fields fields, boolean old) throws IOException {
        boolean coded = isCoded(fields.all("transfer-encoding"), old);
        boolean measured = fields.has("content-length");
        if (coded && measured && octets.has(Fault.LENGTH_BEFORE_CODING)) {
            coded = false;
        } else if (coded && measured && !octets.has(Fault.CODING_BEFORE_LENGTH)) {
            throw new Malformed("length and coding");
        }
        if (coded) {
            return octets.chunks();
        }
        return measured ? octets.exactly(length(fields.all("content-length"))) : "";
    }

    private boolean isCoded(List<String> codings, boolean old) throws Malformed {
        if (codings.isEmpty()) {
            return false;
        }
        boolean chunked = codings.size() == 1 && codings.get(0).equalsIgnoreCase("chunked");
        if (chunked && (!old || octets.has(Fault.OLD_CHUNKS))) {
            return true;
        }
        if (octets.has(Fault.UNKNOWN_CODING_IGNORED)) {
            return false;
        }
        if (octets.has(Fault.ANY_CODING_IS_CHUNKED)) {
            return true;
        }
        throw new Malformed("coding: " + codings);
    }

    private long length(List<String> lengths) throws Malformed {
        String length = lengths.get(octets.has(Fault.LAST_LENGTH) ? lengths.size() - 1 : 0);
        boolean several = lengths.size() > 1 && !octets.has(Fault.FIRST_LENGTH) && !octets.has(Fault.LAST_LENGTH);
        length = octets.has(Fault.LISTED_LENGTH) ? length.replaceFirst(",.*", "") : length;
        length = octets.has(Fault.SIGNED_LENGTH) ? length.replaceFirst("^[+-]", "") : length;
        boolean number = length.matches("[0-9]{1,18}");
        if (!several && !number && octets.has(Fault.WRONG_LENGTH_IGNORED)) {
            return 0;
        }
        if (several || !number) {
            throw new Malformed("lengths: " + lengths);
        }
        return Long.parseLong(length);
    }
}
