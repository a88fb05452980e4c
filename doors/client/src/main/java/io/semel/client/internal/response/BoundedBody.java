// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.response;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Takes an answer whole, up to a size: half an answer is none. */
public final class BoundedBody implements BodySubscriber<byte[]> {

    private final int status;
    private final int most;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    private BoundedBody(int status, int most) {
        this.status = status;
        this.most = most;
    }

    public static BodyHandler<byte[]> upTo(int most) {
        return info -> new BoundedBody(info.statusCode(), most);
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            if (body.isDone()) {
                return;
            }
            take(buffer);
        }
    }

    private void take(ByteBuffer buffer) {
        if (buffer.remaining() > most - bytes.size()) {
            body.completeExceptionally(new AnswerTooLarge(status, most));
            if (subscription != null) {
                subscription.cancel();
            }
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
}
