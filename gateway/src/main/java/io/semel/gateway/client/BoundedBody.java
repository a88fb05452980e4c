// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** A response body of limited size; a longer one is a failure and is not read. */
public final class BoundedBody implements BodySubscriber<byte[]> {

    private final BodySubscriber<byte[]> whole = BodySubscribers.ofByteArray();
    private long left;
    private @Nullable Subscription subscription;

    private BoundedBody(long most) {
        this.left = most;
    }

    public static BodyHandler<byte[]> of(long most) {
        return head -> new BoundedBody(most);
    }

    @Override
    public void onSubscribe(Subscription given) {
        subscription = given;
        whole.onSubscribe(given);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            left -= part.remaining();
        }
        if (left >= 0) {
            whole.onNext(parts);
        } else if (subscription != null) {
            subscription.cancel();
            whole.onError(new IOException("The answer is too large."));
        }
    }

    @Override
    public void onError(Throwable cause) {
        whole.onError(cause);
    }

    @Override
    public void onComplete() {
        whole.onComplete();
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole.getBody();
    }
}
