// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import io.semel.http.Admission;
import io.semel.http.RequestDecision;
import java.util.function.Supplier;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** One request on its way through the filter. */
record KeyedExchange(ServerWebExchange exchange, WebFilterChain chain, FilterSettings settings) {

    Mono<Void> enter(Admission admission) {
        if (admission instanceof Admission.Decided decided) {
            Supplier<Mono<Void>> sending = sending(decided.decision(), () -> exchange);
            return decided.decision() instanceof RequestDecision.Pass
                    ? sending.get()
                    : RequestBodyReader.skip(exchange).then(Mono.defer(sending));
        }
        if (admission instanceof Admission.ForSessions ours) {
            return RequestBodyReader.skip(exchange)
                    .then(Mono.fromCallable(ours::enter).subscribeOn(settings.blocking()))
                    .flatMap(entry -> sending(entry, () -> exchange).get());
        }
        Admission.Reading reading = (Admission.Reading) admission;
        return RequestBodyReader.read(exchange, reading).flatMap(body -> enter(reading, body));
    }

    /** Kept, because that is not cancelled: a client that hangs up does not end what was begun for it. */
    private Mono<Void> enter(Admission.Reading reading, byte[] body) {
        return Mono.fromCallable(reading::enter)
                .subscribeOn(settings.blocking())
                .flatMap(entry -> entry instanceof RequestDecision.Run run
                        ? new HandlerRun(run, exchange, chain, settings).run(body)
                        : Mono.just(sending(entry, () -> new BufferedExchange(exchange, body, exchange.getResponse()))))
                .cache()
                .flatMap(Supplier::get);
    }

    private Supplier<Mono<Void>> sending(RequestDecision entry, Supplier<ServerWebExchange> passing) {
        if (entry instanceof RequestDecision.Pass) {
            return () -> chain.filter(passing.get());
        }
        if (entry instanceof RequestDecision.Refuse refuse) {
            return () -> ResponseWriter.send(refuse.problem().answer(), exchange.getResponse());
        }
        return () -> ResponseWriter.send(((RequestDecision.Replay) entry).answer(), exchange.getResponse());
    }
}
