// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.semel.gateway.callers.CallerRefused;
import io.semel.gateway.http.Refusal;
import io.semel.gateway.log.ThrottledLog;
import io.semel.http.RequestDecision;

/** A request about a session, which the gateway answers itself. */
final class SessionExchange {

    private static final ThrottledLog LOG = new ThrottledLog(SessionExchange.class);
    private static final byte[] NO_BODY = new byte[0];

    private final ClientExchange client;
    private final GatewayContext gateway;
    private final Route route;
    private final RequestHead head;

    SessionExchange(ClientExchange client, GatewayContext gateway, Route route, RequestHead head) {
        this.client = client;
        this.gateway = gateway;
        this.route = route;
        this.head = head;
    }

    void begin() {
        client.unhurried();
        gateway.store.ask(client.loop(), () -> route.door().enter(head, NO_BODY), this::answered, this::failed);
    }

    private void answered(RequestDecision entry) {
        if (entry instanceof RequestDecision.Refuse refuse) {
            if (refuse.cause() != null) {
                LOG.warn("A session request was refused.", head.note().toString(), refuse.cause());
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
            LOG.warn("A session request failed.", head.note().toString(), cause);
            client.refuse(Refusal.OVERLOADED);
        }
    }
}
