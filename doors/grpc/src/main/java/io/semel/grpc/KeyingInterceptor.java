// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.semel.time.KeyTime;

/**
 * A client interceptor that gives every unary call a key, so that gRPC's own retries, which send the same metadata again, do no
 * harm. A call that is made anew by its caller is another call, unless it is given its key or number by an option.
 */
public final class KeyingInterceptor implements ClientInterceptor {

    /** The key of a call, in place of a new one. */
    public static final CallOptions.Key<String> KEY = CallOptions.Key.create("io.semel.key");

    /** The place of a call in a session, in place of a key. */
    public static final CallOptions.Key<RequestNumber> NUMBER = CallOptions.Key.create("io.semel.number");

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        ClientCall<Q, R> call = next.newCall(method, options);
        return method.getType() == MethodDescriptor.MethodType.UNARY ? new Keyed<>(call, options) : call;
    }

    private static final class Keyed<Q, R> extends SimpleForwardingClientCall<Q, R> {

        private final CallOptions options;

        Keyed(ClientCall<Q, R> call, CallOptions options) {
            super(call);
            this.options = options;
        }

        @Override
        public void start(Listener<R> listener, Metadata headers) {
            RequestNumber number = options.getOption(NUMBER);
            String key = options.getOption(KEY);
            if (number != null) {
                headers.put(MetadataKeys.SESSION, number.session());
                headers.put(MetadataKeys.REQUEST, Long.toString(number.number()));
                headers.put(MetadataKeys.FIRST_OUTSTANDING, Long.toString(number.firstOutstanding()));
            } else if (!headers.containsKey(MetadataKeys.KEY)) {
                headers.put(MetadataKeys.KEY, key == null ? KeyTime.uuidV7() : key);
            }
            super.start(listener, headers);
        }
    }
}
