// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.semel.Key;
import io.semel.gateway.Traffic.Count;
import io.semel.gateway.callers.CallerRefused;
import io.semel.http.Admission;
import io.semel.http.Problem;
import io.semel.http.RequestDecision;
import io.semel.session.RequestKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes a request with a key as far as the store's word on it: its body is read whole, then the door is entered. */
final class Recording implements Exchange {

    private static final Warnings LOG = new Warnings(Recording.class);
    private static final long FIRST_PAUSE = 5;
    private static final int MOST_DOUBLINGS = 6;
    /** In which the rate of a body is measured. */
    private static final Duration WINDOW = Duration.ofSeconds(10);

    private final Front front;
    private final Site site;
    private final Route route;
    private final Collected body;
    private final long start = System.nanoTime();
    private RequestHead head;
    private Admission.@Nullable Reading reading;
    private final long enough;
    private long came;
    private boolean refused;
    private boolean patient;
    private int rounds;
    private Quotas.@Nullable Room room;

    /** @param reading null where the key is in the body, so that the door is asked only when all of it is there */
    Recording(Front front, Site site, Route route, RequestHead head, Admission.@Nullable Reading reading) {
        this.front = front;
        this.site = site;
        this.route = route;
        this.head = head;
        this.reading = reading;
        this.body = new Collected(front.charge());
        this.enough = site.limits.bodyRate() * WINDOW.toSeconds();
    }

    void begin() {
        if (front.isGone()) {
            front.leave();
            return;
        }
        if (body.charge().isFull(route.settings().operation().maxAnswer())) {
            // Its answer might find no room, and would have been fetched in vain.
            refused = true;
            front.refuse(Refusal.TOO_MUCH_AT_ONCE);
            return;
        }
        front.give(this);
        body.charge().waits(() -> front.loop().execute(this::evicted));
        hurry();
        front.read();
    }

    /** Each window has to bring its share of bytes, and the last of them ends with the time for the whole. */
    private void hurry() {
        long left = site.limits.bodyTime().toNanos() - (System.nanoTime() - start);
        front.within(Duration.ofNanos(Math.max(1, Math.min(left, WINDOW.toNanos()))));
    }

    private void came(int bytes) {
        body.charge().passed(bytes);
        came += bytes;
        if (came >= enough) {
            came = 0;
            hurry();
        }
    }

    /** Others need the room that this body takes, which comes slowly. */
    private void evicted() {
        if (!refused && front.isReadingBody()) {
            front.tooSlow();
        }
    }

    @Override
    public void body(HttpContent content) {
        byte[] bytes = Collected.copy(content.content());
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
            front.refuse(noRoom);
        } else if (last || !wanted) {
            whole();
        } else {
            front.read();
        }
    }

    private void whole() {
        front.unhurried();
        body.charge().waitsNoMore();
        if (reading == null) {
            ask(this::findAndEnter);
        } else {
            enter(reading);
        }
    }

    private void enter(Admission.Reading next) {
        Quotas.UsedUp used = takeRoom(next);
        if (used == null) {
            site.workers.enter(front.loop(), polling(next), this::entered, this::failed);
        } else {
            ask(() -> look(polling(next), used));
        }
    }

    /** Numbers in sessions have bounds of their own. */
    private boolean isCounted(Admission.Reading next) {
        return !site.quotas.areOff() && !next.isNumbered();
    }

    /** Why there is no room in the store for what it would keep; null if there is, and it was taken. */
    private Quotas.@Nullable UsedUp takeRoom(Admission.Reading next) {
        try {
            if (room == null && isCounted(next)) {
                room = site.quotas.take(head, front.channel());
            }
            return null;
        } catch (Quotas.UsedUp e) {
            return e;
        }
    }

    /** Whoever has filled its part of the store still gets the answers that are in it. */
    private static RequestDecision look(Admission.Reading next, Quotas.UsedUp used) {
        return next.peek().orElseThrow(() -> used);
    }

    private RequestDecision findAndEnter() {
        String key = KeyPointer.find(route.settings().idPointer(), body.bytes());
        head = key == null ? head : head.withKey(key);
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
        Quotas.UsedUp used = takeRoom(again);
        return used == null ? again.enter() : look(again, used);
    }

    /** Whether there is time for another question is settled before this one, so that only the last counts as busy. */
    private Admission.Reading polling(Admission.Reading next) {
        Duration waited = Duration.ofNanos(rounds == 0 ? 0 : System.nanoTime() - start);
        patient = waited.compareTo(route.settings().patience()) < 0;
        return next.polling(waited, !patient);
    }

    private void ask(Supplier<RequestDecision> question) {
        site.workers.ask(front.loop(), question, this::entered, this::failed);
    }

    private void entered(RequestDecision entry) {
        if (entry instanceof RequestDecision.Refuse refuse) {
            refuse(refuse);
        } else if (entry instanceof RequestDecision.Replay replay) {
            end();
            seen("replayed", null);
            head.note().became("replayed");
            Authorizing.send(front, site, route, head, replay.answer());
        } else if (entry instanceof RequestDecision.Run run) {
            site.traffic.add(Count.FORWARDED);
            seen("forwarded", run.attempt().fence());
            new Forward(front, site, route, head, body, run, room == null ? Quotas.Room.NONE : room).begin();
        } else {
            site.traffic.add(Count.UNPROTECTED);
            seen("unprotected", null);
            head.note().became("unprotected");
            giveBack();
            new Forward(front, site, route, head, body, null, Quotas.Room.NONE).begin();
        }
    }

    private void refuse(RequestDecision.Refuse refuse) {
        Problem problem = refuse.problem();
        if (problem.type() == Problem.Type.IN_PROGRESS && patient && !front.isGone()) {
            long pause = FIRST_PAUSE << Math.min(rounds++, MOST_DOUBLINGS);
            front.loop().schedule(this::askAgain, pause, TimeUnit.MILLISECONDS);
            return;
        }
        end();
        seen(problem.type().slug(), null);
        head.note().refused(problem.type());
        front.send(problem.answer());
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
            site.traffic.seen(head, key, fence, fate);
        }
    }

    private void askAgain() {
        ask(this::admitAndEnter);
    }

    private void failed(Throwable cause) {
        end();
        if (cause instanceof CallerRefused refused) {
            front.refuse(refused);
            return;
        }
        if (cause instanceof Quotas.UsedUp used) {
            refuse(used);
            return;
        }
        LOG.warn("A request could not be looked up.", head.note(), cause);
        front.fail(Refusal.OVERLOADED);
    }

    /** Not among the keys that were seen, from which whoever asks for many would push those of others. */
    private void refuse(Quotas.UsedUp used) {
        Key key = Optional.ofNullable(reading).flatMap(Admission.Reading::key).orElseThrow();
        head.note().keyed(key, key.scope());
        front.refuse(used, key.scope());
    }

    private void end() {
        refused = true;
        body.clear();
        giveBack();
    }

    private void giveBack() {
        Quotas.Room taken = room;
        room = null;
        if (taken != null) {
            taken.back();
        }
    }

    @Override
    public void clientGone() {
        if (!refused && front.isReadingBody()) {
            end();
            front.leave();
        }
    }
}
