// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The handler behind a door under test: it does what the headers of a request say, whatever its method and path are, and counts its
 * runs and effects. All servers of a test share one.
 */
public final class ScriptedService {

    /** The header that a filter in front of the door refuses by; its value is a status. */
    static final String FRONT = "X-Contract-Front";

    static final String CONTROL = "/contract/";
    private static final long PATIENCE_SECONDS = 60;

    /** The effects; those of a joined service are rows that its transaction commits. */
    public interface Ledger {

        void add(String id);

        int count(String id);
    }

    /** A line of an answer's head. */
    public record Header(String name, String value) {}

    /** An answer; neither a length nor a coding of the transfer is among its headers unless a test says so. */
    public record Reply(int status, List<Header> headers, byte[] body) {}

    /** The exception that a test asks a handler to throw. */
    public static final class Failure extends RuntimeException {

        private static final long serialVersionUID = 1;

        Failure() {
            super("The handler failed, as the test asked.");
        }
    }

    private final Ledger ledger;
    private final Map<String, Run> runs;

    /** With effects in memory. */
    public ScriptedService() {
        this(new MemoryLedger(), new ConcurrentHashMap<>());
    }

    private ScriptedService(Ledger ledger, Map<String, Run> runs) {
        this.ledger = ledger;
        this.runs = runs;
    }

    /** This service, with the same runs, for a server whose transactions are to have the effects. */
    public ScriptedService with(Ledger other) {
        return new ScriptedService(other, runs);
    }

    /** The status with which a filter in front of the door has to refuse this request; 0 if it has to let it pass. */
    public static int front(UnaryOperator<@Nullable String> headers) {
        String status = headers.apply(FRONT);
        return status == null ? 0 : Integer.parseInt(status);
    }

    /**
     * Handles a request, as slowly as the test wants it; throws {@link Failure} where that is what the test wants. A server in which
     * handlers must not block has to call it on a thread that may.
     *
     * @param headers the value of the request's header of that name, or null
     */
    public Reply handle(String path, UnaryOperator<@Nullable String> headers) {
        if (path.startsWith(CONTROL)) {
            String[] order = path.substring(CONTROL.length()).split("/", 2);
            return Turns.text(200, control(order[0], order[1]));
        }
        String encoded = headers.apply(Script.HEADER);
        if (encoded == null) {
            throw new IllegalArgumentException("A request of the contract has no script: " + path);
        }
        Script script = Script.decode(encoded);
        Run run = run(script.id());
        int number = run.count.incrementAndGet();
        ledger.add(script.id());
        Turn turn = script.turn(number);
        if (turn.blocks()) {
            run.blocked.countDown();
            await(run.released);
        }
        if (turn.kind() == Turn.Kind.FAILS) {
            throw new Failure();
        }
        String accepted = Objects.requireNonNullElse(headers.apply("Accept-Encoding"), "");
        return Turns.reply(turn, number, accepted.contains("gzip"));
    }

    private String control(String verb, String id) {
        Run run = run(id);
        switch (verb) {
            case "runs" -> {
                return run.count.toString();
            }
            case "effects" -> {
                return Integer.toString(ledger.count(id));
            }
            case "blocked" -> await(run.blocked);
            case "release" -> run.released.countDown();
            default -> throw new IllegalArgumentException(verb);
        }
        return verb;
    }

    private Run run(String id) {
        return runs.computeIfAbsent(id, unused -> new Run());
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Nothing happened for " + PATIENCE_SECONDS + " seconds.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The handler was interrupted.", e);
        }
    }

    private static final class Run {

        final AtomicInteger count = new AtomicInteger();
        final CountDownLatch blocked = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);
    }

    private static final class MemoryLedger implements Ledger {

        private final Map<String, Integer> effects = new ConcurrentHashMap<>();

        @Override
        public void add(String id) {
            effects.merge(id, 1, Integer::sum);
        }

        @Override
        public int count(String id) {
            return effects.getOrDefault(id, 0);
        }
    }

    /** Makes answers. */
    private static final class Turns {

        static Reply text(int status, String text) {
            return new Reply(status, List.of(new Header("Content-Type", "text/plain")), text.getBytes(UTF_8));
        }

        static Reply reply(Turn turn, int number, boolean acceptsGzip) {
            List<Header> headers = new ArrayList<>();
            for (String line : turn.lines()) {
                String[] parts = numbered(line, number).split(": ", 2);
                headers.add(new Header(parts[0], parts[1]));
            }
            byte[] text = numbered(turn.body(), number).getBytes(UTF_8);
            byte[] body = Arrays.copyOf(text, text.length + turn.filler());
            Arrays.fill(body, text.length, body.length, (byte) 'x');
            if (turn.kind() == Turn.Kind.PACKS && acceptsGzip) {
                headers.add(new Header("Content-Encoding", "gzip"));
                return new Reply(turn.status(), headers, packed(body));
            }
            return new Reply(turn.status(), headers, body);
        }

        private static String numbered(String text, int number) {
            return text.replace("{n}", Integer.toString(number));
        }

        private static byte[] packed(byte[] body) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
                gzip.write(body);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return bytes.toByteArray();
        }
    }
}
