// SPDX-License-Identifier: Apache-2.0
package io.semel;

import io.semel.internal.engine.EngineContext;
import io.semel.internal.engine.KeyAge;
import io.semel.internal.frame.AnswerOrigin;
import io.semel.internal.frame.Frame;
import io.semel.internal.frame.Frames;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a person can see and do about single keys, apart from calling them. */
public final class Operator {

    private final EngineContext engine;
    private final String name;
    private final Inspectable slots;

    Operator(EngineContext engine, String name) {
        if (!(engine.store() instanceof Inspectable inspectable)) {
            throw new UnsupportedOperationException(engine.store().getClass().getSimpleName()
                    + " cannot show its slots; operators need a store that is Inspectable.");
        }
        this.engine = engine;
        this.name = name;
        this.slots = inspectable;
    }

    public Optional<Slot> look(Key key) {
        return slots.look(key);
    }

    /** Pages through a view, the oldest first; the cursor is null for the first page. */
    public Inspectable.Page page(Inspectable.View view, @Nullable String cursor, int limit) {
        return slots.page(view, cursor, limit);
    }

    public Inspectable.Counts count() {
        return slots.count();
    }

    /**
     * It happened, and this is its answer: retries get it from now on. For unknown and lapsed slots only.
     *
     * <p>The codec has to be of the form that the key's own service reads, or {@link Result#OTHER_FORM} comes back and nothing is
     * changed. A lapsed slot does not say its form: there the codec is taken at its word.
     *
     * @param seen what the decision was based on; if the slot has moved on since, nothing is changed
     */
    public <T extends @Nullable Object> Result resolve(Slot seen, Codec<T> codec, T value) {
        boolean otherForm = seen.state() == Slot.State.UNKNOWN
                && form(seen).filter(form -> !form.equals(codec.form())).isPresent();
        if (otherForm) {
            return Result.OTHER_FORM;
        }
        byte[] stored = engine.frames()
                .write(
                        seen.key(),
                        AnswerKind.VALUE,
                        new AnswerOrigin(codec.form(), engine.operation().version()),
                        codec.encode(value),
                        engine.operation().compressAbove());
        Settlement complete = new Settlement.Complete(stored, KeyAge.longestRetention(engine.operation()));
        return tell(seen.key(), settle(seen, complete), Event.Act.RESOLVED);
    }

    /**
     * It did not happen: the key is free, and a retry runs. For unknown and lapsed slots only.
     *
     * @param seen what the decision was based on; if the slot has moved on since, nothing is changed
     */
    public Result release(Slot seen) {
        return tell(seen.key(), settle(seen, new Settlement.Release()), Event.Act.RELEASED);
    }

    /**
     * Does the same about every unknown or lapsed slot of one page of a view that is at least this old, such as
     * {@code operator.sweep(View.IN_FLIGHT, Duration.ofDays(7), null, 100, operator::release)}. Nothing of the kind ever happens by
     * itself: a claim that nobody asks for again stays until somebody does this.
     *
     * @param cursor null for the first page, else the {@link Swept#next} of the page before
     * @param act {@link #release}, or {@link #resolve} with an answer
     */
    public Swept sweep(
            Inspectable.View view,
            Duration age,
            @Nullable String cursor,
            int limit,
            Function<? super Slot, Result> act) {
        return sweep(view, slot -> slot.age().compareTo(age) >= 0, cursor, limit, act);
    }

    /** The same about those unknown or lapsed slots of the page that are chosen. */
    public Swept sweep(
            Inspectable.View view,
            Predicate<? super Slot> chosen,
            @Nullable String cursor,
            int limit,
            Function<? super Slot, Result> act) {
        Inspectable.Page page = slots.page(view, cursor, limit);
        Map<Result, Integer> results = new EnumMap<>(Result.class);
        for (Slot slot : page.slots()) {
            boolean inDoubt = slot.state() == Slot.State.LAPSED || slot.state() == Slot.State.UNKNOWN;
            if (inDoubt && chosen.test(slot)) {
                results.merge(act.apply(slot), 1, Integer::sum);
            }
        }
        return new Swept(Map.copyOf(results), page.next());
    }

    /** What a {@link #sweep} did to one page: how many slots came to which result, and where to go on; next is null at the end. */
    public record Swept(
            Map<Result, Integer> results, @Nullable String next) {}

    /** The stored answer itself, as its codec wrote it; empty where there is none. */
    public Optional<byte[]> reveal(Key key) {
        return answer(key, AnswerKind.VALUE).map(answer -> {
            tell(key, Result.APPLIED, Event.Act.REVEALED);
            return answer;
        });
    }

    /**
     * The form in which the service behind a key writes and reads its answer, such as {@code http} or {@code json}; empty where
     * the slot does not say: it is held, lapsed or gone, or its codec has no name for its form.
     */
    public Optional<String> form(Slot slot) {
        return Optional.ofNullable(slot.result())
                .map(stored -> Frames.origin(stored).form())
                .filter(form -> !form.isEmpty());
    }

    /** Why the outcome of a key is recorded as unknown; empty where it is not. */
    public Optional<String> whyUnknown(Key key) {
        return answer(key, AnswerKind.UNKNOWN).map(Frames::whyUnknown);
    }

    private Optional<byte[]> answer(Key key, AnswerKind kind) {
        return slots.look(key)
                .flatMap(slot -> Optional.ofNullable(slot.result()))
                .map(stored -> engine.frames().read(key, stored))
                .filter(frame -> frame.kind() == kind)
                .map(Frame::body);
    }

    private Result settle(Slot seen, Settlement settlement) {
        Optional<Slot> now = slots.look(seen.key());
        if (now.isEmpty()) {
            return Result.NOT_FOUND;
        }
        Slot slot = now.get();
        return switch (slot.state()) {
            case HELD -> Result.STILL_HELD;
            case SETTLED, GONE -> Result.SETTLED_BEFORE;
            case LAPSED -> slot.fence() == seen.fence() ? takeOver(slot, settlement) : Result.CHANGED;
            case UNKNOWN -> slot.fence() == seen.fence() ? amend(slot, settlement) : Result.CHANGED;
        };
    }

    private Result takeOver(Slot slot, Settlement settlement) {
        Store store = engine.store();
        Key key = slot.key();
        String holder = engine.newHolder();
        Claim claim = store.claim(
                Call.of(key, slot.fingerprint()), holder, engine.operation().lease());
        if (!(claim instanceof Claim.Granted granted)) {
            return Result.CHANGED;
        }
        if (!granted.abandoned()) {
            // Somebody released it between the look and the claim: nothing is in doubt any more.
            store.settle(key, holder, granted.fence(), new Settlement.Release());
            return Result.CHANGED;
        }
        // Our own claim counts; where it does not, the store has counted as far as it can.
        int counted = slots.look(key).map(Slot::attempts).orElse(0) - slot.attempts();
        if (counted != 1 && counted != 0) {
            store.settle(key, holder, granted.fence(), new Settlement.Renew(Duration.ZERO));
            return Result.CHANGED;
        }
        return store.settle(key, holder, granted.fence(), settlement) ? Result.APPLIED : Result.CHANGED;
    }

    private Result amend(Slot slot, Settlement settlement) {
        byte[] unknown = slot.result();
        boolean applied = unknown != null && slots.amend(slot.key(), unknown, settlement);
        return applied ? Result.APPLIED : Result.CHANGED;
    }

    private Result tell(Key key, Result result, Event.Act act) {
        if (result == Result.APPLIED) {
            engine.tell(new Event.Operated(engine.operation().name(), key, name, act));
        }
        return result;
    }

    /** What became of an operator's wish. */
    public enum Result {
        APPLIED,
        /** Nothing is known of the key. */
        NOT_FOUND,
        /** Its holder is alive; wait for it, or stop it. */
        STILL_HELD,
        /** It has its answer, or had it. */
        SETTLED_BEFORE,
        /** Somebody else was faster; look again. */
        CHANGED,
        /** The service behind the key reads answers of another form, see {@link Operator#form}. */
        OTHER_FORM
    }
}
