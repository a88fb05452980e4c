// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import io.semel.Engine;
import io.semel.http.Caller;
import io.semel.http.HttpIdempotency;
import io.semel.memory.MemoryStore;
import io.semel.store.Store;
import io.semel.testkit.ManualTime;
import io.semel.testkit.http.ContractServer;
import io.semel.testkit.http.CuttableStore;
import io.semel.testkit.http.HttpContract;
import io.semel.testkit.http.HttpSetting;
import io.semel.testkit.http.ScriptedService;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import org.springframework.web.server.handler.ResponseStatusExceptionHandler;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** The HTTP contract on the filter, on Reactor Netty. */
class NettyContractTest extends HttpContract {

    private final ManualTime time = new ManualTime();
    private final MemoryStore store = new MemoryStore(64 << 20, time);
    private final ScriptedService service = new ScriptedService();

    @Override
    protected ContractServer start(HttpSetting setting) {
        CuttableStore connection = new CuttableStore(store);
        Engine engine = Engine.on(connection, time).with(Rules.operation(setting));
        WebFilter door = IdempotencyWebFilter.on(
                HttpIdempotency.on(engine, Rules.of(setting)),
                exchange -> Mono.just(Caller.of(Objects.requireNonNull(
                        exchange.getRequest().getHeaders().getFirst("X-User")))));
        var handler = WebHttpHandlerBuilder.webHandler(this::answer)
                .filter(NettyContractTest::front, door)
                .exceptionHandler(new ResponseStatusExceptionHandler())
                .build();
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(handler))
                .bindNow();
        return new Server(server, connection);
    }

    private static Mono<Void> front(ServerWebExchange exchange, WebFilterChain chain) {
        int status = ScriptedService.front(exchange.getRequest().getHeaders()::getFirst);
        if (status == 0) {
            return chain.filter(exchange);
        }
        exchange.getResponse().setStatusCode(HttpStatusCode.valueOf(status));
        return exchange.getResponse().setComplete();
    }

    private Mono<Void> answer(ServerWebExchange exchange) {
        var request = exchange.getRequest();
        return Mono.fromCallable(() -> service.handle(request.getPath().value(), request.getHeaders()::getFirst))
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(reply -> write(exchange.getResponse(), reply));
    }

    private static Mono<Void> write(ServerHttpResponse response, ScriptedService.Reply reply) {
        response.setStatusCode(HttpStatusCode.valueOf(reply.status()));
        reply.headers().forEach(header -> response.getHeaders().add(header.name(), header.value()));
        if (reply.body().length == 0) {
            return response.setComplete();
        }
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(reply.body())));
    }

    @Override
    protected Store store() {
        return store;
    }

    @Override
    protected void elapse(Duration span) {
        time.advance(span);
    }

    @Override
    protected String title() {
        return "WebFlux on Netty";
    }

    @Override
    protected Optional<Path> table() {
        return Optional.of(Path.of("../../docs/http-contract.md"));
    }

    private record Server(DisposableServer server, CuttableStore connection) implements ContractServer {

        @Override
        public int port() {
            return server.port();
        }

        @Override
        public void cut() {
            connection.cut();
        }

        @Override
        public void mend() {
            connection.mend();
        }

        @Override
        public void kill() {
            connection.kill();
        }

        @Override
        public void close() {
            server.disposeNow();
        }
    }
}
