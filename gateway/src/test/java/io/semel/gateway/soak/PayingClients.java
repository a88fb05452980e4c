// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.soak;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Callers that use the same keys as each other, lose patience, retry until they know, and then ask once more. */
final class PayingClients {

    static final int THREADS = 24;
    private static final int CALLERS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration NO_PATIENCE = Duration.ofMillis(15);
    private static final Set<Integer> NOT_NOW = Set.of(409, 429, 502, 503, 504);
    private static final String UNKNOWN = "UNKNOWN";

    private final URI target;
    private final long nanosBetween;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();
    private final AtomicLong retried = new AtomicLong();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    PayingClients(int port, int rate) {
        this.target = URI.create("http://127.0.0.1:" + port + "/pay");
        this.nanosBetween = TimeUnit.SECONDS.toNanos(THREADS) / rate;
    }

    Void payUntil(long end) throws InterruptedException {
        while (System.nanoTime() < end) {
            long due = System.nanoTime() + nanosBetween;
            long number = next.getAndIncrement();
            payAndAskAgain("caller-" + number % CALLERS, "key-" + number / CALLERS);
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        }
        return null;
    }

    private void payAndAskAgain(String caller, String key) throws InterruptedException {
        String first = pay(caller, key);
        String again = pay(caller, key);
        boolean known = !first.equals(UNKNOWN);
        if (!first.equals(again) || (known && !first.startsWith("paid " + caller + ' ' + key + ' '))) {
            wrong.add(caller + ' ' + key + " was told '" + first + "', then '" + again + "'");
        }
        (known ? answered : unknown).incrementAndGet();
    }

    /** The answer, or the word that nobody knows. */
    private String pay(String caller, String key) throws InterruptedException {
        boolean hasty = ThreadLocalRandom.current().nextInt(10) == 0;
        while (true) {
            try {
                HttpResponse<String> answer =
                        client.send(request(caller, key, hasty ? NO_PATIENCE : PATIENCE), BodyHandlers.ofString());
                if (answer.statusCode() == 201) {
                    return answer.body();
                }
                if (answer.body().contains("outcome-unknown")
                        && answer.headers().firstValue("Retry-After").isEmpty()) {
                    return UNKNOWN;
                }
                if (!NOT_NOW.contains(answer.statusCode())) {
                    return answer.statusCode() + " " + answer.body();
                }
            } catch (IOException e) {
                // It lost its patience, or one of the two was killed under way: that is what this is about.
                hasty = false;
            }
            retried.incrementAndGet();
            TimeUnit.MILLISECONDS.sleep(20 + ThreadLocalRandom.current().nextInt(80));
        }
    }

    private HttpRequest request(String caller, String key, Duration patience) {
        return HttpRequest.newBuilder(target)
                .timeout(patience)
                .header("Authorization", "Bearer " + caller)
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(caller + ' ' + key))
                .build();
    }

    static List<String> twice(List<String> ledger) {
        Set<String> seen = new HashSet<>();
        List<String> twice = new ArrayList<>();
        for (String each : ledger) {
            if (!seen.add(each)) {
                twice.add(each);
            }
        }
        return twice;
    }

    long answered() {
        return answered.get();
    }

    List<String> wrong() {
        return List.copyOf(wrong);
    }

    String summary() {
        return "%,d payments answered, %,d unknown, %,d retries"
                .formatted(answered.get(), unknown.get(), retried.get());
    }
}
