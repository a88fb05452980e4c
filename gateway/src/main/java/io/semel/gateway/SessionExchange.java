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
    private static final byte[] NO_BODY = new byte[0];

    private final ClientExchange client;
    private final Site site;
    private final Route route;
    private final RequestHead head;

    SessionExchange(ClientExchange client, Site site, Route route, RequestHead head) {
        this.client = client;
        this.site = site;
        this.route = route;
        this.head = head;
    }

    void begin() {
        client.unhurried();
        site.workers.ask(client.loop(), () -> route.door().enter(head, NO_BODY), this::answered, this::failed);
    }

    private void answered(RequestDecision entry) {
        if (entry instanceof RequestDecision.Refuse refuse) {
            if (refuse.cause() != null) {
                LOG.warn("A session was refused.", head.note().toString(), refuse.cause());
            }
            head.note().refused(refuse.problem().type());
            client.send(refuse.problem().answer());
        } else {
            head.note().became("session");
            client.send(((RequestDecision.Replay) entry).answer());
        }
    }

    private void failed(Throwable cause) {
        if (cause instanceof CallerRefused refused) {
            client.refuse(refused);
        } else {
            LOG.warn("A request about a session could not be looked at.", head.note().toString(), cause);
            client.refuse(Refusal.OVERLOADED);
        }
    }
}
