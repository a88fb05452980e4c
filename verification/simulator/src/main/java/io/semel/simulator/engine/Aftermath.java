// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Call;
import io.semel.Retention;
import io.semel.simulator.World;
import java.time.Duration;

/** What is looked at when faults have stopped: that no key is stuck, and that late requests are refused or replayed. */
final class Aftermath {

    private final Scene scene;
    private final World world;
    private final Door door;
    private final Person person;
    private final Client client;

    Aftermath(Scene scene, Door door, Person person) {
        this.scene = scene;
        this.world = scene.world;
        this.door = door;
        this.person = person;
        this.client = new Client(scene, door);
    }

    void play() {
        world.sleep(longestTrouble());
        for (Plan plan : scene.setup.plans()) {
            Account account = scene.book.account(plan.key());
            Call call = client.call(plan);
            mustAnswer(plan, call);
            resolve(plan, account, call);
            comeLate(plan, account, call);
            scene.judge.checkEffects(account, scene.ledger);
        }
    }

    /** Requests under way, pauses, and then a whole lease by a clock that may have been set back. */
    private Duration longestTrouble() {
        Duration lease = scene.setup.lease();
        return lease.multipliedBy(5).plus(world.storeClock().setBack());
    }

    private void mustAnswer(Plan plan, Call call) {
        scene.rules.check(door.ask(plan, call), Invariant.UNSTUCK, call, "it is quiet, and yet no answer for good");
    }

    private void resolve(Plan plan, Account account, Call call) {
        if (isUnknown(account)) {
            scene.rules.check(
                    person.act(plan, Duration.ZERO), Invariant.UNSTUCK, call, "the operator cannot resolve it");
            mustAnswer(plan, call);
            scene.rules.check(!isUnknown(account), Invariant.UNSTUCK, call, "it is unknown, and was resolved");
        }
    }

    private static boolean isUnknown(Account account) {
        Answer answer = account.answer();
        return answer != null && answer.stored().kind() == Stored.Kind.UNKNOWN;
    }

    /** Just before and just after each end of what is known. */
    private void comeLate(Plan plan, Account account, Call call) {
        Answer answer = account.answer();
        if (answer == null || plan.retention().equals(Retention.UNENDING)) {
            return;
        }
        Duration moment = Duration.ofMillis(100);
        for (long end : new long[] {answer.until(), answer.forget()}) {
            Duration left = Duration.ofNanos(end - world.storeClock().nanos());
            if (left.compareTo(moment) > 0) {
                world.sleep(left.minus(moment));
                mustAnswer(plan, call);
            }
            world.sleep(moment);
            mustAnswer(plan, call);
        }
    }
}
