// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.handler.codec.http.HttpRequest;
import io.semel.gateway.Traffic.Count;
import io.semel.gateway.callers.CallerRefused;
import io.semel.gateway.callers.Peer;
import io.semel.http.Admission;
import io.semel.http.RequestDecision;
import io.semel.http.Problem;
import org.jspecify.annotations.Nullable;

/** Decides by a request's head who handles it: validates it, finds its route, and asks the route's rules about keys. */
final class RequestDispatcher {

    private static final Warnings LOG = new Warnings(RequestDispatcher.class);
    private static final String SESSIONS = "/.semel/sessions";

    private final Site site;
    private final ClientExchange client;
    private final Route route;
    private final RequestHead head;

    private RequestDispatcher(Site site, ClientExchange client, Route route, RequestHead head) {
        this.site = site;
        this.client = client;
        this.route = route;
        this.head = head;
    }

    static void dispatch(Site site, ClientExchange client, HttpRequest request) {
        Refusal objection = Hygiene.objection(request);
        if (objection == null) {
            Refusal noRoom = client.holdHead(Cost.of(request));
            if (noRoom == null) {
                route(site, client, request);
            } else {
                client.refuse(noRoom);
            }
        } else if (Hygiene.isFramed(request)) {
            site.traffic.add(Count.MALFORMED);
            client.refuse(objection);
        } else {
            // The bytes that follow may not be the rest of this request.
            client.malformed(objection);
        }
    }

    private static void route(Site site, ClientExchange client, HttpRequest request) {
        site.headers.removeUntrustedClaims(request.headers(), Peer.address(client.channel()));
        RequestHead head = RequestHead.of(request, client.channel(), site.callers, client.note());
        Route route = site.routes.choose(head.path(), head.method());
        if (route == null) {
            site.traffic.add(Count.MALFORMED);
            client.refuse(Refusal.AMBIGUOUS_TARGET);
            return;
        }
        client.note().routed(route.settings().operation().name());
        new RequestDispatcher(site, client, route, head).admit();
    }

    private void admit() {
        if (site.sessions && isAboutSession()) {
            new SessionExchange(client, site, route, head).begin();
            return;
        }
        boolean takesPart = route.settings().methods().contains(head.method());
        if (takesPart && route.settings().idPointer() != null) {
            record(null);
        } else if (takesPart && !head.knowsCaller()) {
            client.unhurried();
            site.workers.ask(client.loop(), () -> route.door().admit(head), this::admitted, this::failed);
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
        RequestDecision entry = ((Admission.Decided) admission).entry();
        if (entry instanceof RequestDecision.Refuse refuse) {
            refuse(refuse.problem());
        } else {
            site.traffic.add(Count.PASSED);
            head.note().became("passed");
            client.goOn(head.request());
            new Relay(client, site, route, head).begin();
        }
    }

    private void record(Admission.@Nullable Reading reading) {
        client.within(site.limits.bodyTime());
        client.goOn(head.request());
        new Recording(client, site, route, head, reading).begin();
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
