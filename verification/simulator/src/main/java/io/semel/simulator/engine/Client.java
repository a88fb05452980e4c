// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.simulator.Chance;
import io.semel.simulator.World;
import java.time.Duration;

/** Sends requests, repeats each until it is answered for good, and some of them again, long after. */
final class Client implements Runnable {

    /** After faults have stopped, in leases: long enough for everybody's work to be done one after the other. */
    private static final int PATIENCE = 500;

    private static final Fingerprint RIGHT = Fingerprint.of("right");
    private static final Fingerprint OTHER = Fingerprint.of("other");

    private final Scene scene;
    private final World world;
    private final Chance chance;
    private final Door door;

    Client(Scene scene, Door door) {
        this.scene = scene;
        this.world = scene.world;
        this.chance = scene.chance;
        this.door = door;
    }

    @Override
    public void run() {
        for (int i = chance.between(1, 4); i > 0; i--) {
            Plan plan = chance.of(0.5) ? scene.setup.plans().get(0) : chance.pick(scene.setup.plans());
            world.sleep(chance.partOf(plan.lease(), 0, 1));
            request(plan);
        }
    }

    private void request(Plan plan) {
        Call call = call(plan);
        insist(plan, call);
        for (int i = chance.below(3); i > 0; i--) {
            world.sleep(untilLate(plan));
            insist(plan, call);
        }
    }

    Call call(Plan plan) {
        Call call = Call.of(plan.key(), chance.of(0.93) ? RIGHT : OTHER);
        return plan.dated() ? call.firstSentAt(scene.firstSent(plan.key())) : call;
    }

    private void insist(Plan plan, Call call) {
        long start = world.now();
        while (!door.ask(plan, call)) {
            world.sleep(chance.of(0.3) ? Duration.ZERO : chance.partOf(plan.lease(), 0, 0.5));
            boolean patient = !scene.faults.areOver()
                    || world.now() - start < plan.lease().toNanos() * PATIENCE;
            scene.rules.check(patient, Invariant.UNSTUCK, call, "no answer for good");
        }
    }

    /** Any time; often when something about the key is just about to end. */
    private Duration untilLate(Plan plan) {
        Answer answer = scene.book.account(plan.key()).answer();
        if (answer == null || answer.forget() == Long.MAX_VALUE || chance.of(0.3)) {
            return chance.partOf(plan.lease(), 0, 3);
        }
        long end = chance.of(0.5) ? answer.until() : answer.forget();
        Duration left = Duration.ofNanos(Math.max(0, end - world.storeClock().nanos()));
        return chance.of(0.5)
                ? left.plus(plan.lease())
                : left.minus(chance.partOf(plan.lease(), 0, 0.05)).abs();
    }
}
