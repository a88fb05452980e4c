// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.request;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request once, so that it can be sent as often as it takes. */
public final class BodyReader implements Flow.Subscriber<ByteBuffer> {

    private static final long PATIENCE_SECONDS = 10;

    private final int most;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    private BodyReader(int most) {
        this.most = most;
    }

    public static byte[] read(BodyPublisher publisher, int most) {
        BodyReader reader = new BodyReader(most);
        publisher.subscribe(reader);
        byte[] body = reader.await();
        long announced = publisher.contentLength();
        if (announced >= 0 && announced != body.length) {
            throw new IllegalArgumentException("The body was announced with " + announced + " bytes and has "
                    + body.length + "; a publisher that was read before cannot be read again, so give a fresh one.");
        }
        return body;
    }

    private byte[] await() {
        try {
            return body.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalArgumentException(
                    "The body cannot be read, so nothing was sent: " + e.getMessage(), e.getCause());
        } catch (TimeoutException e) {
            cancel();
            throw new IllegalArgumentException(
                    "The body did not end within " + PATIENCE_SECONDS
                            + " s; give one that is there as a whole, because it may have to be sent again.",
                    e);
        } catch (InterruptedException e) {
            cancel();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the body was read; nothing was sent.", e);
        }
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuffer buffer) {
        if (buffer.remaining() > most - bytes.size()) {
            cancel();
            body.completeExceptionally(new IllegalArgumentException("it has more than " + most
                    + " bytes, and it is held in memory until there is an answer; send less, or allow more"));
            return;
        }
        byte[] part = new byte[buffer.remaining()];
        buffer.get(part);
        bytes.writeBytes(part);
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        body.complete(bytes.toByteArray());
    }

    private void cancel() {
        if (subscription != null) {
            subscription.cancel();
        }
    }
}
