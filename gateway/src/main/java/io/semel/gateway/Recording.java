// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.semel.gateway.Callers.Unauthenticated;
import io.semel.gateway.Traffic.Count;
import io.semel.http.Admission;
import io.semel.http.Entry;
import io.semel.http.Problem;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes a request with a key as far as the store's word on it: its body is read whole, then the door is entered. */
final class Recording implements Exchange {

    private static final System.Logger LOG = System.getLogger(Recording.class.getName());
    private static final long FIRST_PAUSE = 5;
    private static final int MOST_DOUBLINGS = 6;

    private final Front front;
    private final Site site;
    private final Route route;
    private final Collected body;
    private final long start = System.nanoTime();
    private RequestHead head;
    private Admission.@Nullable Reading reading;
    private boolean refused;
    private int rounds;

    /** @param reading null where the key is in the body, so that the door is asked only when all of it is there */
    Recording(Front front, Site site, Route route, RequestHead head, Admission.@Nullable Reading reading) {
        this.front = front;
        this.site = site;
        this.route = route;
        this.head = head;
        this.reading = reading;
        this.body = new Collected(site.budget);
    }

    void begin() {
        if (front.isGone()) {
            front.leave();
            return;
        }
        front.give(this);
        front.read();
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
        if (wanted && !body.add(bytes)) {
            refused = true;
            body.clear();
            front.refuse(Refusal.OVERLOADED);
        } else if (last || !wanted) {
            whole();
        } else {
            front.read();
        }
    }

    private void whole() {
        front.unhurried();
        if (reading == null) {
            String key = KeyPointer.find(route.settings().idPointer(), body.bytes());
            head = key == null ? head : head.withKey(key);
            ask(this::admitAndEnter);
        } else {
            site.workers.enter(front.loop(), reading, this::entered, this::failed);
        }
    }

    /** Also for a duplicate that has waited: a reading enters once, so the request is read again, from memory. */
    private Entry admitAndEnter() {
        Admission admission = route.door().admit(head);
        if (admission instanceof Admission.Decided decided) {
            return decided.entry();
        }
        Admission.Reading again = (Admission.Reading) admission;
        for (byte[] part : body.parts()) {
            again.update(part, 0, part.length);
        }
        return again.enter();
    }

    private void ask(Supplier<Entry> question) {
        site.workers.ask(front.loop(), question, this::entered, this::failed);
    }

    private void entered(Entry entry) {
        if (entry instanceof Entry.Refuse refuse) {
            refuse(refuse);
        } else if (entry instanceof Entry.Replay replay) {
            body.clear();
            Authorizing.send(front, site, route, head, replay.answer());
        } else if (entry instanceof Entry.Run run) {
            site.traffic.add(Count.FORWARDED);
            new Forward(front, site, route, head, body, run).begin();
        } else {
            site.traffic.add(Count.UNPROTECTED);
            new Forward(front, site, route, head, body, null).begin();
        }
    }

    private void refuse(Entry.Refuse refuse) {
        Problem problem = refuse.problem();
        if (problem.type() == Problem.Type.IN_PROGRESS && isPatient()) {
            long pause = FIRST_PAUSE << Math.min(rounds++, MOST_DOUBLINGS);
            front.loop().schedule(this::askAgain, pause, TimeUnit.MILLISECONDS);
            return;
        }
        Throwable cause = refuse.cause();
        if (cause != null) {
            LOG.log(System.Logger.Level.WARNING, "A request was refused: " + cause.getMessage());
        }
        end();
        front.send(problem.answer());
    }

    private boolean isPatient() {
        return System.nanoTime() - start < route.settings().patience().toNanos() && !front.isGone();
    }

    private void askAgain() {
        ask(this::admitAndEnter);
    }

    private void failed(Throwable cause) {
        end();
        if (cause instanceof Unauthenticated) {
            front.refuse(Refusal.UNAUTHENTICATED);
            return;
        }
        LOG.log(System.Logger.Level.WARNING, "A request could not be looked up.", cause);
        front.refuse(Refusal.OVERLOADED);
    }

    private void end() {
        refused = true;
        body.clear();
    }

    @Override
    public void clientGone() {
        if (!refused && front.isReadingBody()) {
            end();
            front.leave();
        }
    }
}
