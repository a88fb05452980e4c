// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

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
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The HTTP contract on the filter, in a container. */
abstract class ServletContract extends HttpContract {

    private final Container container;
    private final ManualTime time = new ManualTime();
    private final MemoryStore store = new MemoryStore(64 << 20, time);
    private final ScriptedService service = new ScriptedService();

    ServletContract(Container container) {
        this.container = container;
    }

    @Override
    protected ContractServer start(HttpSetting setting) throws Exception {
        CuttableStore connection = new CuttableStore(store);
        Engine engine = Engine.on(connection, time).with(Rules.operation(setting));
        Filter door = IdempotencyFilter.on(
                HttpIdempotency.on(engine, Rules.of(setting)), request -> Caller.of(request.getHeader("X-User")));
        return new Server(container.start(List.of(front(), door), new Scripted(service)), connection);
    }

    private static Filter front() {
        return (request, response, chain) -> {
            int status = ScriptedService.front(((HttpServletRequest) request)::getHeader);
            if (status != 0) {
                ((HttpServletResponse) response).setStatus(status);
            } else {
                chain.doFilter(request, response);
            }
        };
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
    protected Optional<Path> table() {
        return Optional.of(Path.of("../../docs/http-contract.md"));
    }

    private static final class Scripted extends HttpServlet {

        private static final long serialVersionUID = 1;

        private final transient ScriptedService service;

        Scripted(ScriptedService service) {
            this.service = service;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            ScriptedService.Reply reply = service.handle(request.getRequestURI(), request::getHeader);
            response.setStatus(reply.status());
            reply.headers().forEach(header -> response.addHeader(header.name(), header.value()));
            response.getOutputStream().write(reply.body());
        }
    }

    private record Server(Container.Started started, CuttableStore connection) implements ContractServer {

        @Override
        public int port() {
            return started.port();
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
            started.stop();
        }
    }
}
