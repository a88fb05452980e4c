// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.fuzz.AnswerReader.Answered;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Clients of a gateway before a hostile service: they ask, some of them several things at once, and those with keys ask again. */
final class HostileClient {

    private static final int PATIENCE_MILLIS = 15_000;

    final LongAdder exchanges = new LongAdder();
    final LongAdder answered = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder replayed = new LongAdder();
    final LongAdder cut = new LongAdder();
    final LongAdder valid = new LongAdder();
    final LongAdder validAnswered = new LongAdder();

    private final int port;
    private final HostileService service;

    HostileClient(int port, HostileService service) {
        this.port = port;
        this.service = service;
    }

    void run(long seed) throws IOException {
        Random random = new Random(seed);
        List<Asked> all = new ArrayList<>();
        for (int left = random.nextInt(3); left >= 0; left--) {
            all.add(Asked.of(RequestStream.id(seed) + left, random));
        }
        boolean streams = random.nextInt(4) == 0 && all.stream().noneMatch(Asked::isLarge);
        try {
            ask(all, streams);
        } catch (AssertionError e) {
            throw new AssertionError("-Dsemel.fuzz.seed=" + seed + "\n" + e.getMessage(), e);
        }
    }

    /** All at once, and then those with keys again, one by one. */
    private void ask(List<Asked> all, boolean streams) throws IOException {
        List<@Nullable Answered> first = streams ? exchangeInStreams(all) : exchange(all);
        for (int i = 0; i < all.size(); i++) {
            Asked asked = all.get(i);
            Answered got = first.get(i);
            count(asked, got);
            if (asked.keyed() && (got != null || i == 0)) {
                retry(asked, got);
            }
            judge(asked).judgeRuns();
        }
        all.forEach(each -> service.forget(each.id()));
    }

    private void retry(Asked asked, @Nullable Answered first) throws IOException {
        Answered again = exchange(List.of(asked)).get(0);
        assertThat(again != null || asked.isLarge() || judge(asked).mayBeCut())
                .as("a retry is answered: %s", judge(asked))
                .isTrue();
        if (again != null) {
            judge(asked).judgeRetry(first, again);
            replayed.add(again.fields().has("idempotent-replayed") ? 1 : 0);
        }
    }

    private AnswerJudge judge(Asked asked) {
        return new AnswerJudge(asked, service.played(asked.id()));
    }

    private void count(Asked asked, @Nullable Answered got) {
        exchanges.increment();
        boolean isAnswer = got != null && !AnswerJudge.isRefusal(got);
        (isAnswer ? answered : got == null ? cut : refused).increment();
        List<AnswerScript> played = service.played(asked.id());
        if (!played.isEmpty() && played.get(0).valid()) {
            valid.increment();
            validAnswered.add(isAnswer ? 1 : 0);
        }
    }

    /** What each of them got; null for those that were cut, and for all behind them. */
    private List<@Nullable Answered> exchange(List<Asked> all) throws IOException {
        List<@Nullable Answered> got = new ArrayList<>();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            AnswerReader answers = new AnswerReader(new BufferedInputStream(socket.getInputStream()));
            boolean open = send(all, socket);
            for (Asked asked : all) {
                Answered next = open || got.isEmpty() ? next(answers, asked, got.isEmpty()) : null;
                open = next != null && !next.ends() && !next.fields().lists("connection", "close");
                got.add(next);
            }
        }
        return got;
    }

    private List<@Nullable Answered> exchangeInStreams(List<Asked> all) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            List<@Nullable Answered> got = StreamGenerator.exchange(all, socket);
            for (int i = 0; i < all.size(); i++) {
                Asked asked = all.get(i);
                Answered answer = got.get(i);
                assertThat(answer != null || judge(asked).mayBeCut())
                        .as("cut: %s", judge(asked))
                        .isTrue();
                if (answer != null) {
                    judge(asked).judge(answer);
                }
            }
            return got;
        } catch (SocketTimeoutException e) {
            throw new AssertionError("Nothing comes to an end: " + all, e);
        }
    }

    private static boolean send(List<Asked> all, Socket socket) throws IOException {
        try {
            for (Asked asked : all) {
                socket.getOutputStream().write(asked.bytes());
            }
            return true;
        } catch (SocketException e) {
            // What was answered early need not be read to its end.
            return false;
        }
    }

    private @Nullable Answered next(AnswerReader answers, Asked asked, boolean first) throws IOException {
        try {
            Answered next = answers.next(asked.toHead());
            assertThat(next != null || !first || asked.isLarge() || judge(asked).mayBeCut())
                    .as("closed without a word: %s", judge(asked))
                    .isTrue();
            if (next != null) {
                judge(asked).judge(next);
            }
            return next;
        } catch (SocketTimeoutException e) {
            throw new AssertionError("Nothing comes to an end: " + judge(asked), e);
        } catch (Malformed e) {
            throw new AssertionError("It cannot be read, " + e.getMessage() + ": " + judge(asked), e);
        } catch (EOFException | SocketException e) {
            assertThat(first && !asked.isLarge() && !judge(asked).mayBeCut())
                    .as("cut: %s", judge(asked))
                    .isFalse();
            return null;
        }
    }
}
