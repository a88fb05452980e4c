// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A session with a service that offers them, from its registration until it is closed or lost: it numbers requests, sends each again
 * under its own number, and tells the service which answers have arrived, so that it need not keep them any longer.
 *
 * <p>A number whose outcome is unknown stays outstanding, and the window does not move past it, until {@link #again} brings a
 * definite answer or {@link #giveUp} lets go of it. A session that is lost is not replaced by itself: what is outstanding then must
 * not be sent under another.
 */
public final class ClientSession implements AutoCloseable {

    private final RetryingClient client;
    private final URI place;
    private final UnaryOperator<Intent> dress;
    private final Outstanding outstanding;
    private final Heartbeat heartbeat;

    private ClientSession(RetryingClient client, URI sessions, UnaryOperator<Intent> dress, SessionTerms terms) {
        this.client = client;
        this.place = URI.create(sessions + "/" + terms.id());
        this.dress = dress;
        this.outstanding = new Outstanding(terms.id(), terms.window());
        this.heartbeat = new Heartbeat(client.wiring(), terms.lease(), this::keepAlive, this::heard);
    }

    /**
     * Registers a session, and keeps it alive from now on. If the answer to that is lost, a second one is made, and the first ends
     * with its lease.
     *
     * @param sessions where the service registers them, such as {@code https://service/.semel/sessions}
     * @param dress adds to every request what shows who sends it, such as a token
     */
    public static ClientSession open(RetryingClient client, URI sessions, UnaryOperator<Intent> dress)
            throws IOException {
        HttpRequest register =
                HttpRequest.newBuilder(sessions).POST(BodyPublishers.noBody()).build();
        Result registration = new Exchange(client.wiring().quiet(), dress.apply(Intent.of(register)), false)
                .start()
                .join();
        ClientSession session = new ClientSession(client, sessions, dress, SessionTerms.of(registration));
        session.heartbeat.start();
        return session;
    }

    /** Sends it under the next number and waits for the end; before that it waits for a place in the window. */
    public Result send(Intent intent) {
        Intent dressed = dress.apply(intent);
        Intent numbered;
        try {
            numbered = outstanding.take(
                    dressed, client.wiring().time(), client.wiring().retries().deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result.NotSent(intent.key(), 0, Stop.INTERRUPTED, null);
        }
        if (numbered == null) {
            return refused(intent);
        }
        Result result = null;
        try {
            result = client.send(numbered);
        } finally {
            ended(numbered, result);
        }
        return result;
    }

    /** Sends it under the next number. Where the window is full it is not sent, and ends so at once. */
    public CompletableFuture<Result> sendAsync(Intent intent) {
        Intent numbered = outstanding.take(dress.apply(intent));
        if (numbered == null) {
            return CompletableFuture.completedFuture(refused(intent));
        }
        CompletableFuture<Result> sent;
        try {
            sent = client.sendAsync(numbered);
        } catch (RuntimeException e) {
            ended(numbered, null);
            throw e;
        }
        return watched(numbered, sent);
    }

    /** Sends once more, under its own number, what has ended as unknown. */
    public CompletableFuture<Result> again(String key) {
        Intent numbered = unknown(key);
        return watched(numbered, client.wiring().send(dress.apply(numbered), true));
    }

    /** Lets go of what has ended as unknown: its answer is not asked for any more, and nothing waits for it. */
    public void giveUp(String key) {
        unknown(key);
        client.wiring().strikeOut(key);
        outstanding.settle(key);
    }

    private Intent unknown(String key) {
        Intent found = outstanding.find(key);
        if (found == null || client.wiring().underway().contains(key)) {
            throw new IllegalArgumentException(
                    "No request of this session ended as unknown under " + key + "; give the key of such a result.");
        }
        return found;
    }

    /** What has no definite answer: what is under way, and what has ended as unknown. */
    public List<Intent> outstanding() {
        return outstanding.all();
    }

    /** Whether nothing can be sent any more, because it was lost or closed. */
    public boolean isOver() {
        return outstanding.isOver();
    }

    /** Tells the service that it may forget all of the session, also what is outstanding; if that fails, its lease ends it. */
    @Override
    public void close() {
        if (outstanding.end()) {
            HttpRequest close = HttpRequest.newBuilder(place).DELETE().build();
            heartbeat.exchange(dress.apply(Intent.of(close))).join();
        }
    }

    private Result refused(Intent intent) {
        Stop why = outstanding.isOver() ? Stop.SESSION_OVER : Stop.WINDOW_FULL;
        return new Result.NotSent(intent.key(), 0, why, null);
    }

    private CompletableFuture<Result> watched(Intent numbered, CompletableFuture<Result> sent) {
        CompletableFuture<Result> result = new CompletableFuture<>();
        var unused = sent.whenComplete((ended, failure) -> {
            if (ended != null) {
                ended(numbered, ended);
                result.complete(ended);
            }
        });
        var unusedToo = result.whenComplete((ended, failure) -> {
            if (failure != null) {
                sent.cancel(true);
            }
        });
        return result;
    }

    /** @param result null if it could not even be begun */
    private void ended(Intent numbered, @Nullable Result result) {
        if (result == null || !result.mayHaveHappened()) {
            outstanding.settle(numbered.key());
        }
        if (result != null) {
            heard(result);
        }
    }

    private @Nullable Intent keepAlive() {
        if (outstanding.isOver()) {
            return null;
        }
        HttpRequest alive =
                HttpRequest.newBuilder(place).PUT(BodyPublishers.noBody()).build();
        return dress.apply(Intent.of(alive).header(Numbering.FIRST_OUTSTANDING, Long.toString(outstanding.first())));
    }

    private void heard(Result result) {
        Problem problem = client.wiring().problem(result);
        if (problem != null && problem.endsSession() && outstanding.end()) {
            client.wiring().tell(new ClientEvent.SessionLost(outstanding.session(), problem));
        }
    }
}
