// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.Result.CarriedOut;
import io.semel.client.internal.attempt.CallThreads;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
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
    private final SessionProtocol protocol;
    private final UnaryOperator<Intent> dress;
    private final OutstandingRequests outstanding;
    private final SessionHeartbeat heartbeat;

    private ClientSession(
            RetryingClient client, SessionProtocol protocol, UnaryOperator<Intent> dress, SessionProtocol.Terms terms) {
        this.client = client;
        this.protocol = protocol;
        this.dress = dress;
        this.outstanding = new OutstandingRequests(terms.id(), terms.window());
        this.heartbeat = new SessionHeartbeat(client.context(), terms.lease(), this::keepAlive, this::heard);
    }

    private ClientSession(ClientSession session, RetryingClient client) {
        this.client = client;
        this.protocol = session.protocol;
        this.dress = session.dress;
        this.outstanding = session.outstanding;
        this.heartbeat = session.heartbeat;
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
        return open(client, new HttpSessionProtocol(sessions), dress);
    }

    /** The same with a service that is asked for sessions in another way than that of the HTTP profile. */
    public static ClientSession open(RetryingClient client, SessionProtocol protocol, UnaryOperator<Intent> dress)
            throws IOException {
        Result registration = new CallExchange(client.context().quiet(), dress.apply(protocol.register()), false)
                .start()
                .join();
        ClientSession session = new ClientSession(client, protocol, dress, terms(protocol, registration));
        session.heartbeat.start();
        return session;
    }

    private static SessionProtocol.Terms terms(SessionProtocol protocol, Result registration) throws IOException {
        Object said = "no answer came in time";
        if (registration instanceof Result.Answered answered) {
            return protocol.terms(answered.response());
        } else if (registration instanceof Result.Refused refused) {
            said = refused.problem();
        } else if (registration instanceof Result.NotSent notSent && notSent.failure() != null) {
            said = notSent.failure();
        }
        throw new IOException("The service has not registered a session: " + said
                + ". Look whether it offers them at this address, and to this caller.");
    }

    /**
     * This session for calls that go another way and may take only so long, for doors that have options for each call; numbers,
     * window and budget are the same.
     */
    public ClientSession via(Transport transport, Duration atMost) {
        return new ClientSession(this, client.via(transport, atMost));
    }

    /** Sends it under the next number and waits for the end; before that it waits for a place in the window. */
    public Result send(Intent intent) {
        Intent dressed = dress.apply(intent);
        Intent numbered;
        try {
            numbered = outstanding.take(
                    dressed, client.context().time(), client.context().retries().deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result.NotSent(intent.key(), 0, StopReason.INTERRUPTED, null);
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

    /**
     * Sends it under the next number as soon as there is a place in the window; no thread waits for that. The future fails only for an
     * intent that {@link #send} would throw for.
     */
    public CompletableFuture<Result> submit(Intent intent) {
        CompletableFuture<Result> result = new CompletableFuture<>();
        CompletableFuture<Void> late = new CompletableFuture<>();
        if (!submit(intent, result, late)) {
            Duration deadline = client.context().retries().deadline;
            client.context().time().schedule(deadline, () -> late.complete(null));
        }
        return result;
    }

    /** Whether it was sent, or never will be; else it is tried again when something has changed, and a last time when it is late. */
    private boolean submit(Intent intent, CompletableFuture<Result> result, CompletableFuture<Void> late) {
        // Before the place is asked for: a change after that must not be missed.
        CompletableFuture<Void> change = outstanding.change();
        boolean last = late.isDone();
        CompletableFuture<Result> sent;
        try {
            sent = sendAsync(intent);
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
            return true;
        }
        boolean full =
                sent.isDone() && sent.join() instanceof Result.NotSent not && not.stop() == StopReason.WINDOW_FULL;
        if (!full || last) {
            handOn(sent, result, ended -> {});
            return true;
        }
        var unused = CompletableFuture.anyOf(change, late)
                .thenRun(() -> CallThreads.execute(client.context().transport(), () -> {
                    if (!result.isDone()) {
                        submit(intent, result, late);
                    }
                }));
        return false;
    }

    /** Sends once more, under its own number, what has ended as unknown. */
    public CompletableFuture<Result> again(String key) {
        Intent numbered = unknown(key);
        return watched(numbered, client.context().send(dress.apply(numbered), true));
    }

    /** Lets go of what has ended as unknown: its answer is not asked for any more, and nothing waits for it. */
    public void giveUp(String key) {
        unknown(key);
        client.context().strikeOut(key);
        outstanding.settle(key);
    }

    private Intent unknown(String key) {
        Intent found = outstanding.find(key);
        if (found == null || client.context().underway().contains(key)) {
            throw new IllegalArgumentException(
                    "No request of this session ended as unknown under " + key + "; give the key of such a result.");
        }
        return found;
    }

    /** The requests without a definite answer: those under way, and those that ended as unknown. */
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
            heartbeat
                    .exchange(dress.apply(protocol.close(outstanding.session())))
                    .join();
        }
    }

    private Result refused(Intent intent) {
        StopReason why = outstanding.isOver() ? StopReason.SESSION_OVER : StopReason.WINDOW_FULL;
        return new Result.NotSent(intent.key(), 0, why, null);
    }

    private CompletableFuture<Result> watched(Intent numbered, CompletableFuture<Result> sent) {
        CompletableFuture<Result> result = new CompletableFuture<>();
        handOn(sent, result, ended -> ended(numbered, ended));
        return result;
    }

    /** Cancelling the result gives up the request. */
    private static void handOn(
            CompletableFuture<Result> sent, CompletableFuture<Result> result, Consumer<Result> before) {
        var unused = sent.whenComplete((ended, failure) -> {
            if (ended != null) {
                before.accept(ended);
                result.complete(ended);
            }
        });
        var unusedToo = result.whenComplete((ended, failure) -> {
            if (failure != null) {
                sent.cancel(true);
            }
        });
    }

    /** @param result null if it could not even be begun */
    private void ended(Intent numbered, @Nullable Result result) {
        if (result == null || result.carriedOut() != CarriedOut.UNKNOWN) {
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
        return dress.apply(protocol.keepAlive(outstanding.session(), outstanding.first()));
    }

    private void heard(Result result) {
        ProblemType problem = client.context().problem(result);
        if (problem != null && problem.endsSession() && outstanding.end()) {
            client.context().tell(new ClientEvent.SessionLost(outstanding.session(), problem));
        }
    }
}
