// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.handler.codec.http.HttpHeaders;
import io.semel.Attempt;
import io.semel.gateway.callers.CallerRefused;
import io.semel.http.RequestDecision;
import java.util.List;

/** A request about a session, which the door answers by itself and no upstream sees. */
final class SessionExchange {

    private static final Warnings LOG = new Warnings(SessionExchange.class);
    private static final String PATH = "/.semel/sessions";
    private static final String SESSION = "Semel-Session";
    private static final List<String> HEADERS = List.of(SESSION, "Semel-Request", "Semel-First-Outstanding");
    private static final byte[] NO_BODY = new byte[0];

    private final Front front;
    private final Site site;
    private final Route route;
    private final RequestHead head;

    SessionExchange(Front front, Site site, Route route, RequestHead head) {
        this.front = front;
        this.site = site;
        this.route = route;
        this.head = head;
    }

    static boolean takes(RequestHead head) {
        String path = head.path();
        return (path.equals(PATH) || path.startsWith(PATH + "/"))
                && !head.method().equals("OPTIONS");
    }

    /** The upstream gets a key in place of a number: the session is between client and gateway. */
    static void conceal(HttpHeaders headers, Attempt attempt) {
        if (headers.contains(SESSION)) {
            HEADERS.forEach(headers::remove);
            headers.set(RequestHead.KEY, attempt.derive("upstream"));
        }
    }

    void begin() {
        front.unhurried();
        site.workers.ask(front.loop(), () -> route.door().enter(head, NO_BODY), this::answered, this::failed);
    }

    private void answered(RequestDecision entry) {
        if (entry instanceof RequestDecision.Refuse refuse) {
            if (refuse.cause() != null) {
                LOG.warn("A session was refused.", head.note(), refuse.cause());
            }
            head.note().refused(refuse.problem().type());
            front.send(refuse.problem().answer());
        } else {
            head.note().became("session");
            front.send(((RequestDecision.Replay) entry).answer());
        }
    }

    private void failed(Throwable cause) {
        if (cause instanceof CallerRefused refused) {
            front.refuse(refused);
        } else {
            LOG.warn("A request about a session could not be looked at.", head.note(), cause);
            front.refuse(Refusal.OVERLOADED);
        }
    }
}
