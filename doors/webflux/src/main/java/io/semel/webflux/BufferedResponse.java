// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import io.semel.http.Answer;
import io.semel.http.Answer.Header;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A response that is held back: nothing of it goes to the server's own before it is sent, so that nothing has to be undone. */
final class BufferedResponse extends ServerHttpResponseDecorator {

    private static final Set<String> FRAMING = Set.of("content-length", "transfer-encoding", "trailer");
    private static final int OK = 200;

    private final int largest;
    private final Function<Answer, Mono<Void>> streaming;
    private final HttpHeaders before;
    private final HttpHeaders headers = new HttpHeaders();
    private final MultiValueMap<String, ResponseCookie> cookies = new LinkedMultiValueMap<>();
    private final List<Supplier<? extends Mono<Void>>> actions = new ArrayList<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable HttpStatusCode status;
    private boolean committed;
    private boolean passing;

    /** @param streaming gives the decision; completes when a stream may pass */
    BufferedResponse(ServerHttpResponse response, int largest, Function<Answer, Mono<Void>> streaming) {
        super(response);
        this.largest = largest;
        this.streaming = streaming;
        this.before = Fields.copy(response.getHeaders());
        before.forEach(headers::addAll);
    }

    /** The answer without its body: what filters in front have set is theirs, and framing is decided when it is sent. */
    Answer head() {
        List<Header> lines = new ArrayList<>();
        headers.forEach((name, values) -> {
            if (!FRAMING.contains(name.toLowerCase(java.util.Locale.ROOT))
                    && !values.equals(Fields.values(before, name))) {
                values.forEach(value -> lines.add(new Header(name, value)));
            }
        });
        cookies.values()
                .forEach(each ->
                        each.forEach(cookie -> lines.add(new Header(HttpHeaders.SET_COOKIE, cookie.toString()))));
        return new Answer(status == null ? OK : status.value(), lines, new byte[0]);
    }

    byte[] content() {
        return body.toByteArray();
    }

    boolean isPassing() {
        return passing;
    }

    Mono<Void> send(List<Header> more) {
        apply(more);
        return ResponseWriter.body(status == null ? OK : status.value(), content(), getDelegate());
    }

    private void apply(List<Header> more) {
        ServerHttpResponse response = getDelegate();
        response.setStatusCode(status);
        before.forEach((name, values) -> Fields.remove(response.getHeaders(), name));
        headers.forEach((name, values) -> response.getHeaders().put(name, values));
        cookies.values().forEach(each -> each.forEach(response::addCookie));
        ResponseWriter.lines(more, response.getHeaders());
    }

    /** Completes a response that nothing was written to. */
    Mono<Void> finish() {
        return committed ? Mono.empty() : setComplete();
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> given) {
        return isEventStream() ? pass(() -> super.writeWith(given)) : hold(given);
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> given) {
        return isEventStream()
                ? pass(() -> super.writeAndFlushWith(given))
                : hold(Flux.from(given).concatMap(each -> each));
    }

    private Mono<Void> hold(Publisher<? extends DataBuffer> given) {
        return commit(() -> Flux.from(given)
                .doOnNext(this::append)
                .doOnError(failure -> body.reset())
                .doOnDiscard(DataBuffer.class, DataBufferUtils::release)
                .then());
    }

    private void append(DataBuffer buffer) {
        try {
            int count = buffer.readableByteCount();
            if (body.size() + (long) count > largest) {
                throw new UncheckedIOException(new IOException("The answer is larger than " + largest + " bytes, which"
                        + " is more than may be held back until it is recorded. Allow more in the filter"
                        + " (largestAnswer), or answer without a key."));
            }
            byte[] bytes = new byte[count];
            buffer.read(bytes);
            body.writeBytes(bytes);
        } finally {
            DataBufferUtils.release(buffer);
        }
    }

    private Mono<Void> pass(Supplier<Mono<Void>> write) {
        return commit(() -> streaming.apply(head()).then(Mono.defer(() -> {
            passing = true;
            apply(List.of());
            return write.get();
        })));
    }

    private boolean isEventStream() {
        MediaType type = headers.getContentType();
        return type != null && MediaType.TEXT_EVENT_STREAM.isCompatibleWith(type) && type.isConcrete();
    }

    @Override
    public Mono<Void> setComplete() {
        return committed ? Mono.empty() : commit(Mono::empty);
    }

    /** A body that breaks off is no answer: whoever made it may make another. */
    private Mono<Void> commit(Supplier<Mono<Void>> answer) {
        return Mono.defer(() -> {
            if (committed) {
                return Mono.error(new IllegalStateException("The request has been answered already."));
            }
            List<Supplier<? extends Mono<Void>>> all = List.copyOf(actions);
            actions.clear();
            return Flux.fromIterable(all)
                    .concatMap(Supplier::get)
                    .then(Mono.defer(answer))
                    .doOnSuccess(done -> committed = true);
        });
    }

    @Override
    public void beforeCommit(Supplier<? extends Mono<Void>> action) {
        actions.add(action);
    }

    @Override
    public boolean isCommitted() {
        return committed || passing || super.isCommitted();
    }

    @Override
    public boolean setStatusCode(@Nullable HttpStatusCode code) {
        if (code != null && code.value() < OK) {
            throw new IllegalArgumentException("A request with an idempotency key is answered with a final status, from"
                    + " 200 on, not with " + code.value() + ".");
        }
        if (isCommitted()) {
            return false;
        }
        status = code;
        return true;
    }

    @Override
    public @Nullable HttpStatusCode getStatusCode() {
        return status;
    }

    @Override
    public boolean setRawStatusCode(@Nullable Integer code) {
        return setStatusCode(code == null ? null : HttpStatusCode.valueOf(code));
    }

    @Override
    public HttpHeaders getHeaders() {
        return isCommitted() ? HttpHeaders.readOnlyHttpHeaders(headers) : headers;
    }

    @Override
    public MultiValueMap<String, ResponseCookie> getCookies() {
        return cookies;
    }

    @Override
    public void addCookie(ResponseCookie cookie) {
        cookies.add(cookie.getName(), cookie);
    }
}
