// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.handler.codec.http.HttpRequest;
import io.semel.gateway.budget.MemoryCost;
import io.semel.gateway.callers.CallerRefused;
import io.semel.gateway.callers.ClientPeer;
import io.semel.gateway.http.Refusal;
import io.semel.gateway.http.RequestValidator;
import io.semel.gateway.log.ThrottledLog;
import io.semel.gateway.traffic.Traffic.Count;
import io.semel.http.Admission;
import io.semel.http.Problem;
import io.semel.http.RequestDecision;
import org.jspecify.annotations.Nullable;

/** Decides by a request's head who handles it: validates it, finds its route, and asks the route's rules about keys. */
final class RequestDispatcher {

    private static final ThrottledLog LOG = new ThrottledLog(RequestDispatcher.class);
    private static final String SESSIONS = "/.semel/sessions";

    private final GatewayContext gateway;
    private final ClientExchange client;
    private final Route route;
    private final RequestHead head;

    private RequestDispatcher(GatewayContext gateway, ClientExchange client, Route route, RequestHead head) {
        this.gateway = gateway;
        this.client = client;
        this.route = route;
        this.head = head;
    }

    static void dispatch(GatewayContext gateway, ClientExchange client, HttpRequest request) {
        Refusal objection = RequestValidator.objection(request);
        if (objection == null) {
            Refusal noRoom = client.holdHead(MemoryCost.of(request));
            if (noRoom == null) {
                route(gateway, client, request);
            } else {
                client.refuse(noRoom);
            }
        } else if (RequestValidator.isFramed(request)) {
            gateway.traffic.add(Count.MALFORMED);
            client.refuse(objection);
        } else {
            // The bytes that follow may not be the rest of this request.
            client.malformed(objection);
        }
    }

    private static void route(GatewayContext gateway, ClientExchange client, HttpRequest request) {
        gateway.headers.removeUntrustedClaims(request.headers(), ClientPeer.address(client.channel()));
        RequestHead head = RequestHead.of(request, client.channel(), gateway.callers, client.note());
        Route route = gateway.routes.choose(head);
        if (route == null) {
            gateway.traffic.add(Count.MALFORMED);
            client.refuse(Refusal.AMBIGUOUS_TARGET);
            return;
        }
        client.note().routed(route.settings().operation().name());
        new RequestDispatcher(gateway, client, route, head).admit();
    }

    private void admit() {
        if (gateway.sessions && isAboutSession()) {
            new SessionExchange(client, gateway, route, head).begin();
            return;
        }
        boolean takesPart = route.settings().methods().contains(head.method());
        if (takesPart && route.settings().idPointer() != null) {
            record(null);
        } else if (takesPart && !head.knowsCaller()) {
            client.unhurried();
            gateway.store.ask(client.loop(), () -> route.door().admit(head), this::admitted, this::failed);
        } else {
            admitNow();
        }
    }

    private boolean isAboutSession() {
        String path = head.path();
        return (path.equals(SESSIONS) || path.startsWith(SESSIONS + "/"))
                && !head.method().equals("OPTIONS");
    }

    private void admitNow() {
        Admission admission;
        try {
            admission = route.door().admit(head);
        } catch (RuntimeException e) {
            failed(e);
            return;
        }
        admitted(admission);
    }

    private void admitted(Admission admission) {
        if (admission instanceof Admission.Reading reading) {
            record(reading);
            return;
        }
        RequestDecision entry = ((Admission.Decided) admission).decision();
        if (entry instanceof RequestDecision.Refuse refuse) {
            refuse(refuse.problem());
        } else {
            gateway.traffic.add(Count.PASSED);
            head.note().became("passed");
            client.goOn(head.request());
            new PassThrough(client, gateway, route, head).begin();
        }
    }

    private void record(Admission.@Nullable Reading reading) {
        client.within(gateway.limits.bodyTime());
        client.goOn(head.request());
        new KeyedRequest(client, gateway, route, head, reading).begin();
    }

    private void refuse(Problem problem) {
        head.note().refused(problem.type());
        client.send(problem.answer());
    }

    private void failed(Throwable cause) {
        if (cause instanceof CallerRefused refused) {
            client.refuse(refused);
        } else {
            LOG.warn("A request could not be admitted.", head.note().toString(), cause);
            client.refuse(Refusal.OVERLOADED);
        }
    }
}
