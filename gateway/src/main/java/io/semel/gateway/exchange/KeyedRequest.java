// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.semel.Key;
import io.semel.gateway.budget.BodyBuffer;
import io.semel.gateway.callers.CallerRefused;
import io.semel.gateway.callers.ClientPeer;
import io.semel.gateway.http.Refusal;
import io.semel.gateway.log.ThrottledLog;
import io.semel.gateway.quota.StorageQuotas;
import io.semel.gateway.traffic.AccessRecord;
import io.semel.gateway.traffic.ObservedRequest;
import io.semel.gateway.traffic.Traffic.Count;
import io.semel.http.Admission;
import io.semel.http.HttpRules;
import io.semel.http.Problem;
import io.semel.http.RequestDecision;
import io.semel.session.RequestKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A keyed request until the store has decided: reads the whole body, checks the quotas, then claims the key. */
final class KeyedRequest implements Exchange {

    private static final ThrottledLog LOG = new ThrottledLog(KeyedRequest.class);
    private static final long FIRST_PAUSE = 5;
    private static final int MOST_DOUBLINGS = 6;
    /** In which the rate of a body is measured. */
    static final Duration WINDOW = Duration.ofSeconds(10);

    private final ClientExchange client;
    private final GatewayContext gateway;
    private final Route route;
    private final BodyBuffer body;
    private final long start = System.nanoTime();
    private RequestHead head;
    private Admission.@Nullable Reading reading;
    private final long enough;
    private long came;
    private boolean refused;
    private boolean patient;
    private int rounds;
    private StorageQuotas.@Nullable Room room;

    /** @param reading null where the key is in the body, so that the door is asked only when all of it is there */
    KeyedRequest(
            ClientExchange client,
            GatewayContext gateway,
            Route route,
            RequestHead head,
            Admission.@Nullable Reading reading) {
        this.client = client;
        this.gateway = gateway;
        this.route = route;
        this.head = head;
        this.reading = reading;
        this.body = new BodyBuffer(client.charge());
        this.enough = gateway.limits.bodyRate() * WINDOW.toSeconds();
    }

    void begin() {
        if (client.isGone()) {
            client.leave();
            return;
        }
        if (body.charge().isFull(route.settings().operation().maxAnswer())) {
            // Its answer might find no room, and would have been fetched in vain.
            refused = true;
            client.refuse(Refusal.TOO_MUCH_AT_ONCE);
            return;
        }
        client.give(this);
        body.charge().waits(() -> client.loop().execute(this::evicted));
        hurry();
        client.read();
    }

    /** Each window has to bring its share of bytes, and the last of them ends with the time for the whole. */
    private void hurry() {
        long left = gateway.limits.bodyTime().toNanos() - (System.nanoTime() - start);
        client.within(Duration.ofNanos(Math.max(1, Math.min(left, WINDOW.toNanos()))));
    }

    private void came(int bytes) {
        body.charge().passed(bytes);
        came += bytes;
        if (came >= enough) {
            came = 0;
            hurry();
        }
    }

    /** Others need the room of this body, which arrives slowly. */
    private void evicted() {
        if (!refused && client.isReadingBody()) {
            client.tooSlow();
        }
    }

    @Override
    public void body(HttpContent content) {
        byte[] bytes = BodyBuffer.copy(content.content());
        boolean last = content instanceof LastHttpContent;
        content.release();
        if (refused) {
            return;
        }
        boolean wanted = reading == null
                ? body.length() + bytes.length <= route.settings().largestBody()
                : reading.update(bytes, 0, bytes.length);
        Refusal noRoom = wanted ? body.add(bytes) : null;
        came(bytes.length);
        if (noRoom != null) {
            end();
            client.refuse(noRoom);
        } else if (last || !wanted) {
            whole();
        } else {
            client.read();
        }
    }

    private void whole() {
        client.unhurried();
        body.charge().waitsNoMore();
        if (reading == null) {
            ask(this::findAndEnter);
        } else {
            enter(reading);
        }
    }

    private void enter(Admission.Reading next) {
        StorageQuotas.UsedUp used = takeRoom(next);
        if (used == null) {
            gateway.store.enter(
                    client.loop(),
                    polling(next),
                    route.settings().operation().maxAnswer(),
                    this::entered,
                    this::failed);
        } else {
            ask(() -> look(polling(next), used));
        }
    }

    /** Numbers in sessions have bounds of their own. */
    private boolean isCounted(Admission.Reading next) {
        return !gateway.quotas.areOff() && !next.isNumbered();
    }

    /** The quota that has no room for a new key; null if there is room, and it was taken. */
    private StorageQuotas.@Nullable UsedUp takeRoom(Admission.Reading next) {
        try {
            if (room == null && isCounted(next)) {
                RequestHead of = head;
                room = gateway.quotas.take(
                        () -> of.caller().scope(gateway.namespace),
                        of.request().headers(),
                        ClientPeer.address(client.channel()));
            }
            return null;
        } catch (StorageQuotas.UsedUp e) {
            return e;
        }
    }

    /** A caller that has used up its quota still gets the answers that it has stored. */
    private static RequestDecision look(Admission.Reading next, StorageQuotas.UsedUp used) {
        return next.peek().orElseThrow(() -> used);
    }

    private RequestDecision findAndEnter() {
        String pointer = route.settings().idPointer();
        String id = pointer == null ? null : HttpRules.eventId(pointer, body.bytes());
        // As a structured string, like the key header of a client.
        head = id == null ? head : head.withKey("\"" + id + "\"");
        return admitAndEnter();
    }

    /** Also for a duplicate that has waited: a reading enters once, so the request is read again, from memory. */
    private RequestDecision admitAndEnter() {
        Admission admission = route.door().admit(head);
        if (admission instanceof Admission.Decided decided) {
            return decided.decision();
        }
        Admission.Reading again = polling((Admission.Reading) admission);
        body.forEach((bytes, filled) -> again.update(bytes, 0, filled));
        reading = again;
        StorageQuotas.UsedUp used = takeRoom(again);
        return used == null ? again.enter() : look(again, used);
    }

    /** Whether there is time for another question is settled before this one, so that only the last counts as busy. */
    private Admission.Reading polling(Admission.Reading next) {
        Duration waited = Duration.ofNanos(rounds == 0 ? 0 : System.nanoTime() - start);
        patient = waited.compareTo(route.settings().patience()) < 0;
        return next.polling(waited, !patient);
    }

    private void ask(Supplier<RequestDecision> question) {
        gateway.store.ask(client.loop(), question, this::entered, this::failed);
    }

    private void entered(RequestDecision entry) {
        if (entry instanceof RequestDecision.Refuse refuse) {
            refuse(refuse);
        } else if (entry instanceof RequestDecision.Replay replay) {
            end();
            seen("replayed", null);
            head.note().became("replayed");
            ReplayAuthorization.send(client, gateway, route, head, replay.answer());
        } else if (entry instanceof RequestDecision.Run run) {
            forward(run);
        } else {
            gateway.traffic.add(Count.UNPROTECTED);
            seen("unprotected", null);
            head.note().became("unprotected");
            giveBack();
            new KeyedExchange(client, gateway, route, head, body, null, StorageQuotas.Room.NONE).begin();
        }
    }

    private void forward(RequestDecision.Run run) {
        KeyedExchange forward = new KeyedExchange(
                client, gateway, route, head, body, run, room == null ? StorageQuotas.Room.NONE : room);
        try {
            gateway.traffic.add(Count.FORWARDED);
            seen("forwarded", run.attempt().fence());
        } catch (RuntimeException | Error e) {
            forward.unbegun(e);
            return;
        }
        forward.begin();
    }

    private void refuse(RequestDecision.Refuse refuse) {
        Problem problem = refuse.problem();
        if (problem.type() == Problem.Type.IN_PROGRESS && patient && !client.isGone()) {
            long pause = FIRST_PAUSE << Math.min(rounds++, MOST_DOUBLINGS);
            client.loop().schedule(this::askAgain, pause, TimeUnit.MILLISECONDS);
            return;
        }
        end();
        seen(problem.type().slug(), null);
        head.note().refused(problem.type());
        client.send(problem.answer());
    }

    private void seen(String fate, @Nullable Long fence) {
        Admission.Reading entered = reading;
        if (entered != null) {
            entered.key().ifPresent(key -> seen(key, entered.isNumbered(), fate, fence));
        }
    }

    private void seen(Key key, boolean numbered, String fate, @Nullable Long fence) {
        if (numbered) {
            head.note().keyed(key, RequestKey.of(key).session().scope());
        } else {
            head.note().keyed(key, key.scope());
            AccessRecord note = head.note();
            gateway.traffic.seen(
                    new ObservedRequest(key, head.method(), head.path(), note.id(), note.trace(), fence, fate));
        }
    }

    private void askAgain() {
        ask(this::admitAndEnter);
    }

    private void failed(Throwable cause) {
        end();
        if (cause instanceof CallerRefused refused) {
            client.refuse(refused);
            return;
        }
        if (cause instanceof StorageQuotas.UsedUp used) {
            refuse(used);
            return;
        }
        LOG.warn("A request could not be claimed in the store.", head.note().toString(), cause);
        client.fail(Refusal.OVERLOADED);
    }

    /** Not reported as seen: a caller that tries many keys would push those of others out. */
    private void refuse(StorageQuotas.UsedUp used) {
        Key key = Optional.ofNullable(reading).flatMap(Admission.Reading::key).orElseThrow();
        head.note().keyed(key, key.scope());
        client.refuse(used, key.scope());
    }

    private void end() {
        refused = true;
        body.clear();
        giveBack();
    }

    private void giveBack() {
        StorageQuotas.Room taken = room;
        room = null;
        if (taken != null) {
            taken.back();
        }
    }

    @Override
    public void clientGone() {
        if (!refused && client.isReadingBody()) {
            end();
            client.leave();
        }
    }
}
