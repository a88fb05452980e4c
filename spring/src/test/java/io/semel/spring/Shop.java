// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A bean with methods of every kind. */
class Shop implements Greeting {

    record Line(String article, int pieces) {}

    record Answer(String text, Instant at, List<Line> lines) {}

    static class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public Refused(String message) {
            super(message);
        }
    }

    static class RefusedHard extends Refused {

        private static final long serialVersionUID = 1L;

        public RefusedHard(String message) {
            super(message);
        }
    }

    static class Silent extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public Silent() {
            super("fixed text");
        }
    }

    static class Tenant {

        private String current = "one";

        public String get() {
            return current;
        }

        void is(String other) {
            current = other;
        }
    }

    private final AtomicInteger runs = new AtomicInteger();

    int runs() {
        return runs.get();
    }

    private int run() {
        return runs.incrementAndGet();
    }

    @Override
    public String greet(String name) {
        return name + run();
    }

    @Idempotent
    public void order(@IdempotencyKey String id, Map<String, Set<String>> what) {
        run();
    }

    @Idempotent
    public Answer answer(String id) {
        return new Answer("answer " + run(), Instant.parse("2026-11-16T02:03:04.5Z"), List.of(new Line("a", 2)));
    }

    @Idempotent
    public Map<String, List<Line>> generic(String id) {
        return Map.of("x", List.of(new Line("b", run())));
    }

    @Idempotent
    public Optional<Line> maybe(@IdempotencyKey String id, boolean there) {
        run();
        return there ? Optional.of(new Line("c", 1)) : Optional.empty();
    }

    @Idempotent
    public Line nothing(String id) {
        run();
        return null;
    }

    @Idempotent
    public long count(long id) {
        return id + run();
    }

    @Idempotent
    public byte[][] arrays(UUID id) {
        return new byte[][] {{1, 2}, {(byte) run()}};
    }

    @Idempotent(key = "{#tenant, #id}")
    public int parts(String tenant, String id) {
        return run();
    }

    @Idempotent(key = "#parts", fingerprint = "''")
    public int listed(List<String> parts) {
        return run();
    }

    @Idempotent(key = "1", scope = "#parts", fingerprint = "''")
    public int scopedByList(List<String> parts) {
        return run();
    }

    @Idempotent(key = "#id", scope = "@tenant.get()")
    public int scoped(String id) {
        return run();
    }

    @Idempotent(key = "#id", fingerprint = "#cents")
    public int comparedByCents(String id, long cents, String note) {
        return run();
    }

    @Idempotent(
            key = "#id",
            fingerprint = "''",
            recordExceptions = {Refused.class, Silent.class})
    public int refuse(String id, RuntimeException thrown) {
        run();
        throw thrown;
    }

    @Idempotent
    public String attempt(String id) {
        var attempt = CurrentAttempt.attempt();
        return attempt.key() + " " + attempt.derive("mail");
    }

    @Idempotent(key = "#id", fingerprint = "''")
    public int hold(String id, CountDownLatch started, CountDownLatch end) throws InterruptedException {
        started.countDown();
        end.await();
        return run();
    }

    @Idempotent(key = "#id", fingerprint = "''", whenBusy = "${patience:1m}")
    public int holdPatiently(String id, CountDownLatch started, CountDownLatch end) throws InterruptedException {
        return hold(id, started, end);
    }

    @Idempotent
    public int opaque(@IdempotencyKey String id, Object thing) {
        return run();
    }
}
