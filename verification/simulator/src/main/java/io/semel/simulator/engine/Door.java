// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.simulator.Chance;
import io.semel.simulator.Crash;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Where clients come in: it calls an engine on some server, in one piece or in two halves, these perhaps as a batch of one, and has
 * the answer judged.
 */
final class Door {

    private final Scene scene;
    private final Chance chance;
    private final Fleet fleet;
    private final Labour labour;
    private final Hook hook;

    Door(Scene scene, Fleet fleet) {
        this.scene = scene;
        this.chance = scene.chance;
        this.fleet = fleet;
        this.labour = new Labour(scene);
        this.hook = new Hook(scene);
    }

    /** One call; true if it was answered for good. */
    boolean ask(Plan plan, Call call) {
        Server server = fleet.pick();
        Asking asking = new Asking(plan, call, server.node(), scene.world.me(), scene.world.now());
        asking.decodingFails = !scene.faults.areOver() && chance.of(0.02);
        scene.book.begin(asking);
        try {
            Outcome<String> outcome = server.node().within(() -> enter(server, asking));
            return scene.answers.told(asking, outcome, server.ears());
        } catch (Crash crash) {
            return unanswered(asking);
        } catch (Exception | Error thrown) {
            return server.node().isDead() ? unanswered(asking) : scene.answers.threw(asking, thrown, server.ears());
        } finally {
            scene.book.end(asking);
            // An engine that was interrupted leaves its thread so, and the thread is needed again.
            Thread.interrupted();
        }
    }

    private boolean unanswered(Asking asking) {
        scene.world.tell(asking.call.key().id() + " is not answered: " + asking.node + " died");
        return false;
    }

    private Outcome<String> enter(Server server, Asking asking) throws WorkFailed {
        scene.faults.border(asking.node);
        Engine engine = server.engine().with(operation(asking.plan));
        FussyCodec codec = new FussyCodec(asking);
        if (chance.of(0.7)) {
            return engine.run(asking.call, codec, attempt -> labour.work(asking, attempt));
        }
        Begun<String> begun = chance.of(0.5)
                ? engine.begin(asking.call, codec)
                : only(engine.beginAll(List.of(asking.call), codec, Runnable::run));
        if (begun instanceof Begun.Answered<String> answered) {
            return answered.outcome();
        }
        return inHalves(asking, (Begun.Started<String>) begun);
    }

    private Operation operation(Plan plan) {
        Duration longest = plan.lease().compareTo(Duration.ofSeconds(3)) > 0 ? Duration.ofSeconds(3) : plan.lease();
        Duration budget = chance.of(0.5) ? Duration.ZERO : chance.partOf(longest, 0, 1);
        return plan.operation(hook).waitWhenBusy(budget);
    }

    private Outcome<String> inHalves(Asking asking, Begun.Started<String> started) throws WorkFailed {
        if (!scene.faults.areOver() && chance.of(0.1)) {
            return held(started);
        }
        String value;
        try {
            value = labour.work(asking, started.attempt());
        } catch (Rejection rejection) {
            reject(started, rejection);
            throw rejection;
        } catch (WorkFailed | RuntimeException | Error thrown) {
            release(started, thrown);
            throw thrown;
        }
        return !scene.faults.areOver() && chance.of(0.1) ? held(started) : complete(started, value);
    }

    private Outcome<String> complete(Begun.Started<String> started, String value) {
        return chance.of(0.5)
                ? started.complete(value)
                : only(Begun.Started.completeAll(List.of(new Begun.Completing<>(started, value)), Runnable::run));
    }

    /** There already, because nobody else is asked to do anything. */
    private static <T> T only(List<CompletableFuture<T>> batch) {
        try {
            return batch.get(0).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        }
    }

    private Outcome<String> held(Begun.Started<String> started) {
        started.hold("simulated: unsure");
        return new Outcome.Refused<>(Outcome.Reason.UNKNOWN);
    }

    private void reject(Begun.Started<String> started, Rejection rejection) {
        try {
            started.reject(rejection);
        } catch (RuntimeException | Error failure) {
            failure.addSuppressed(rejection);
            throw failure;
        }
    }

    private void release(Begun.Started<String> started, Throwable thrown) {
        try {
            started.release();
        } catch (RuntimeException | Error failure) {
            thrown.addSuppressed(failure);
        }
    }
}
