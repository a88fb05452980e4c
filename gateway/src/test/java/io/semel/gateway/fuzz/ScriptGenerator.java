// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Writes what a service does, by the id of the request: some of it right, most of it not. */
final class ScriptGenerator {

    private static final List<String> STATUSES =
            List.of("200", "200", "200", "201", "204", "304", "404", "422", "301", "299", "500", "503", "599");
    private static final List<String> SURPLUS = List.of(
            "\r\n",
            "H",
            "0\r\n\r\n",
            "surplus",
            "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nsurplus",
            "HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\nsurplus",
            "HTTP/1.1 100 Continue\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\nsurplus\r\n0\r\n\r\n");
    private static final List<String> INTERIM = List.of(
            "HTTP/1.1 100 Continue\r\n\r\n",
            "HTTP/1.1 102 Processing\r\n\r\n",
            "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n",
            "HTTP/1.1 199 Other\r\nContent-Length: 5\r\n\r\n",
            "HTTP/1.0 100 Continue\r\n\r\n");
    private static final String SWITCH = "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n";

    private final Random random;
    private final String id;
    private final boolean toHead;
    private final List<RequestPart> parts = new ArrayList<>();
    private boolean closing;

    private ScriptGenerator(Random random, String id, boolean toHead) {
        this.random = random;
        this.id = id;
        this.toHead = toHead;
    }

    /** @param attempt how often the request has come before */
    static AnswerScript of(String id, int attempt, boolean toHead) {
        Random random = new Random(id.hashCode() * 31L + attempt);
        return new ScriptGenerator(random, id, toHead).write();
    }

    private AnswerScript write() {
        boolean valid = random.nextInt(3) == 0;
        answer();
        if (valid) {
            return new AnswerScript("{body}" + interims(4) + text() + (closing ? "{close}" : ""), true);
        }
        return new AnswerScript(wrong(random.nextInt(10)), false);
    }

    private String wrong(int kind) {
        String end = closing ? "{close}" : "";
        return switch (kind) {
            case 0, 1, 2 -> {
                RequestPart.spoil(parts, random);
                yield "{body}" + text() + end;
            }
            case 3 -> "{body}" + text() + any(SURPLUS) + (random.nextInt(4) == 0 ? "{close}" : "");
            case 4 -> text() + (random.nextBoolean() ? "{body}" : "{close}");
            case 5 -> "{body}" + cut();
            case 6 -> "{body}" + slowly() + end;
            case 7 -> "{body}" + interims(200) + (random.nextInt(3) == 0 ? SWITCH : "") + text() + end;
            case 8 -> "{body}" + text() + any(List.of("{close}", "{reset}"));
            default -> "{body}" + noise() + end;
        };
    }

    private void answer() {
        String status = STATUSES.get(random.nextInt(STATUSES.size()));
        add(RequestPart.Kind.VERSION, random.nextInt(8) == 0 ? "HTTP/1.0" : "HTTP/1.1");
        boolean old = parts.get(0).text().equals("HTTP/1.0");
        add(RequestPart.Kind.SPACE, " ");
        add(RequestPart.Kind.STATUS, status);
        add(RequestPart.Kind.SPACE, " ");
        add(RequestPart.Kind.DATA, "Said to " + id);
        end();
        field("X-Echo: " + id);
        field("Location: /of/" + id);
        if (random.nextInt(10) == 0) {
            field("X-More: " + "m".repeat(random.nextInt(90_000)));
        }
        if (random.nextInt(10) == 0) {
            field(any(List.of("Connection: close", "Connection: keep-alive", "Connection: X-Echo")));
        }
        boolean empty = toHead || status.equals("204") || status.equals("304");
        int framing = random.nextInt(4);
        if (framing == 0 && !old) {
            field("Transfer-Encoding: chunked");
            end();
            if (!empty || random.nextInt(6) == 0) {
                chunks();
            }
        } else if (framing == 1) {
            closing = true;
            end();
            add(RequestPart.Kind.DATA, empty ? "" : body());
        } else if (empty) {
            field(random.nextBoolean() && !status.equals("204") ? "Content-Length: 10" : "X-None: y");
            end();
        } else {
            String body = body();
            field("Content-Length: " + body.length());
            end();
            add(RequestPart.Kind.DATA, body);
        }
    }

    private void chunks() {
        for (int left = random.nextInt(4); left > 0; left--) {
            String part = body();
            add(RequestPart.Kind.SIZE, Integer.toHexString(part.length()));
            end();
            add(RequestPart.Kind.DATA, part);
            add(RequestPart.Kind.CHUNK_END, "\r\n");
        }
        add(RequestPart.Kind.SIZE, "0");
        end();
        if (random.nextInt(4) == 0) {
            field(any(List.of("X-Trailer: y", "Content-Length: 5", "X-Echo: other")));
        }
        end();
    }

    private String body() {
        String text = "answer to " + id + ";";
        return text.repeat(random.nextInt(12) == 0 ? 1 + random.nextInt(4000) : 1 + random.nextInt(3));
    }

    private String interims(int most) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(3) == 0 ? random.nextInt(most) : 0; left > 0; left--) {
            text.append(any(INTERIM));
        }
        return text.toString();
    }

    private String cut() {
        String text = text();
        return text.substring(0, random.nextInt(text.length()))
                + any(List.of("{close}", "{close}", "{reset}", "{reset}", "{silence}"));
    }

    private String slowly() {
        String text = text();
        StringBuilder slow = new StringBuilder();
        int step = 1 + Math.max(text.length() / 40, random.nextInt(20));
        for (int from = 0; from < text.length(); from += step) {
            slow.append(text, from, Math.min(text.length(), from + step)).append("{pause}");
        }
        return slow.toString();
    }

    private String noise() {
        StringBuilder text = new StringBuilder(text());
        new Noise(random, id).change(text, 1 + random.nextInt(3));
        return text.toString();
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        parts.forEach(part -> text.append(part.text()));
        return text.toString();
    }

    private void field(String line) {
        add(RequestPart.Kind.FIELD, line);
        end();
    }

    private void end() {
        add(RequestPart.Kind.END, "\r\n");
    }

    private void add(RequestPart.Kind kind, String text) {
        parts.add(new RequestPart(kind, text));
    }

    private String any(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }
}
