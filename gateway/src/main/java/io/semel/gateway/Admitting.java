// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.semel.gateway.Traffic.Count;
import io.semel.gateway.callers.CallerRefused;
import io.semel.http.Admission;
import io.semel.http.Problem;
import io.semel.http.RequestDecision;
import org.jspecify.annotations.Nullable;

/** Asks the door what to do with a request, before its body is read. */
final class Admitting {

    private static final Warnings LOG = new Warnings(Admitting.class);

    private final Front front;
    private final Site site;
    private final Route route;
    private final RequestHead head;

    Admitting(Front front, Site site, Route route, RequestHead head) {
        this.front = front;
        this.site = site;
        this.route = route;
        this.head = head;
    }

    void begin() {
        if (site.sessions && SessionExchange.takes(head)) {
            new SessionExchange(front, site, route, head).begin();
            return;
        }
        boolean takesPart = route.settings().methods().contains(head.method());
        if (takesPart && route.settings().idPointer() != null) {
            record(null);
        } else if (takesPart && !head.knowsCaller()) {
            front.unhurried();
            site.workers.ask(front.loop(), () -> route.door().admit(head), this::admitted, this::failed);
        } else {
            admit();
        }
    }

    private void admit() {
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
            site.traffic.add(Count.PASSED);
            head.note().became("passed");
            front.goOn(head.request());
            new Relay(front, site, route, head).begin();
        }
    }

    private void record(Admission.@Nullable Reading reading) {
        front.within(site.limits.bodyTime());
        front.goOn(head.request());
        new Recording(front, site, route, head, reading).begin();
    }

    private void refuse(Problem problem) {
        head.note().refused(problem.type());
        front.send(problem.answer());
    }

    private void failed(Throwable cause) {
        if (cause instanceof CallerRefused refused) {
            front.refuse(refused);
        } else {
            LOG.warn("A request could not be looked at.", head.note(), cause);
            front.refuse(Refusal.OVERLOADED);
        }
    }
}
