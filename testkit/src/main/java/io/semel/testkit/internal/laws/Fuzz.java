// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import io.semel.Call;
import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;
import java.util.Random;

/**
 * Random operations on few slots by few holders, so that they meet. Time moves by whole ticks and spans end half-way
 * between two, so that the real time a test takes decides nothing.
 */
public final class Fuzz {

    private static final Duration TICK = Duration.ofMinutes(20);
    private static final int HOLDERS = 4;

    private final Random random;
    private final Bench bench;
    private final String round;
    private final Grants grants;

    /** Whoever shares the grants may settle what the others were granted. */
    public Fuzz(long seed, Bench bench, String round, Grants grants) {
        this.random = new Random(seed);
        this.bench = bench;
        this.round = round;
        this.grants = grants;
    }

    public Duration ticks() {
        return TICK.multipliedBy(1 + random.nextInt(3));
    }

    /** Does one thing to one of the slots. */
    public void step(Store store, int slots) {
        Key key = bench.key(round + random.nextInt(slots));
        int holder = random.nextInt(HOLDERS);
        String token = bench.token(key.id() + "." + holder);
        switch (random.nextInt(5)) {
            case 0, 1 -> grants.note(key, token, store.claim(call(key, holder), token, spans()));
            case 2, 3 -> store.settle(key, token, fence(key, token), settlement());
            default -> store.peek(key);
        }
    }

    /** Now and then of an earlier grant, as a message has it that was on its way for long. */
    private long fence(Key key, String token) {
        return grants.fence(key, token) - (oneIn(8) ? 1 : 0);
    }

    public boolean oneIn(int chances) {
        return random.nextInt(chances) == 0;
    }

    /** Most holders ask for the same, one for something else; no holder asks for two things. */
    private Call call(Key key, int holder) {
        return Call.of(key, holder == 0 ? Bench.OTHER : Bench.ASKED);
    }

    private Settlement settlement() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> new Settlement.Complete(result(), retention());
            case 2 -> new Settlement.Release();
            case 3 -> new Settlement.Renew(Duration.ZERO);
            default -> new Settlement.Renew(spans());
        };
    }

    private byte[] result() {
        byte[] result = new byte[random.nextInt(40)];
        random.nextBytes(result);
        return result;
    }

    private Retention retention() {
        return oneIn(20) ? Retention.UNENDING : Retention.of(spans(), TICK.multipliedBy(random.nextInt(3)));
    }

    private Duration spans() {
        return TICK.multipliedBy(random.nextInt(3)).plus(TICK.dividedBy(2));
    }
}
