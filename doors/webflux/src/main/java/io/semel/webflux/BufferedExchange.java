// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import java.security.Principal;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.adapter.DefaultServerWebExchange;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import org.springframework.web.server.i18n.LocaleContextResolver;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An exchange whose request has been read and is handed on unchanged. It is one of its own, because what merely decorates
 * another has that one read forms and parts from a body that is gone.
 */
final class BufferedExchange extends DefaultServerWebExchange {

    private static final ServerCodecConfigurer CODECS = ServerCodecConfigurer.create();

    private final ServerWebExchange outer;

    BufferedExchange(ServerWebExchange outer, byte[] body, ServerHttpResponse response) {
        super(
                new HeldRequest(outer.getRequest(), body, response),
                response,
                inner -> outer.getSession(),
                codecs(outer.getApplicationContext()),
                new OuterLocale(outer),
                outer.getApplicationContext());
        this.outer = outer;
    }

    private static ServerCodecConfigurer codecs(@Nullable ApplicationContext context) {
        String name = WebHttpHandlerBuilder.SERVER_CODEC_CONFIGURER_BEAN_NAME;
        return context != null && context.containsBean(name)
                ? context.getBean(name, ServerCodecConfigurer.class)
                : CODECS;
    }

    /** The constructor above asks for them before there is an outer one. */
    @Override
    public Map<String, Object> getAttributes() {
        return outer == null ? super.getAttributes() : outer.getAttributes();
    }

    @Override
    public <T extends Principal> Mono<T> getPrincipal() {
        return outer.getPrincipal();
    }

    @Override
    public String transformUrl(String url) {
        return outer.transformUrl(url);
    }

    @Override
    public void addUrlTransformer(Function<String, String> transformer) {
        outer.addUrlTransformer(transformer);
    }

    /** A request whose body can be read as often as anybody likes. */
    private static final class HeldRequest extends ServerHttpRequestDecorator {

        private final byte[] body;
        private final ServerHttpResponse response;

        HeldRequest(ServerHttpRequest request, byte[] body, ServerHttpResponse response) {
            super(request);
            this.body = body;
            this.response = response;
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return body.length == 0
                    ? Flux.empty()
                    : Flux.defer(() -> Flux.just(response.bufferFactory().wrap(body.clone())));
        }
    }

    private record OuterLocale(ServerWebExchange outer) implements LocaleContextResolver {

        @Override
        public LocaleContext resolveLocaleContext(ServerWebExchange exchange) {
            return outer.getLocaleContext();
        }

        @Override
        public void setLocaleContext(ServerWebExchange exchange, @Nullable LocaleContext context) {
            throw new UnsupportedOperationException("The locale is that of the exchange in front.");
        }
    }
}
