// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.semel.Engine;
import io.semel.Event;
import io.semel.Operation;
import io.semel.WhenAbandoned;
import io.semel.memory.MemoryStore;
import io.semel.store.Inspectable;
import io.semel.testkit.ManualTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A service behind the door that counts what it does, and the least filter that a server would need. */
abstract class PaymentService {

    static final String KEY = "8e03978e-40d5-43e8-bc93-6894a57f9324";
    static final Operation PAYMENTS = Operation.named("payments");
    static final Operation RERUNNING = PAYMENTS.whenAbandoned(WhenAbandoned.rerun());
    static final Message PAY =
            Message.post("/payments").key("\"" + KEY + "\"").json("{\"orderId\":\"17\",\"amountCents\":500}");

    final ManualTime time = new ManualTime();
    final MemoryStore store = new MemoryStore(64 << 20, time);
    final List<Event> events = new CopyOnWriteArrayList<>();
    final Engine engine = Engine.on(store, time).withListener(events::add);
    final AtomicInteger effects = new AtomicInteger();

    Function<Message, Answer> handler = this::charge;

    HttpIdempotency door = door(HttpRules.standard());

    HttpIdempotency door(HttpRules rules) {
        return HttpIdempotency.on(engine.with(PAYMENTS), rules);
    }

    /** The same service in another process: another engine on the same store. */
    HttpIdempotency doorElsewhere(Operation operation) {
        return HttpIdempotency.on(
                Engine.on(store, time).withListener(events::add).with(operation), HttpRules.standard());
    }

    /** What the client gets. */
    Answer send(Message message) {
        return send(door, message);
    }

    Answer send(HttpIdempotency through, Message message) {
        RequestDecision entry = through.enter(message, message.body());
        if (entry instanceof RequestDecision.Pass) {
            return handler.apply(message);
        }
        if (entry instanceof RequestDecision.Refuse refuse) {
            return refuse.problem().answer();
        }
        return entry instanceof RequestDecision.Replay replay
                ? replay.answer()
                : run((RequestDecision.Run) entry, message);
    }

    private Answer run(RequestDecision.Run run, Message message) {
        Answer answer;
        try {
            answer = handler.apply(message);
        } catch (RuntimeException e) {
            run.fail(e);
            throw e;
        }
        return run.complete(answer).map(Problem::answer).orElse(answer);
    }

    Answer charge(Message message) {
        return Answer.of(201, ("payment " + effects.incrementAndGet()).getBytes(UTF_8))
                .with("Content-Type", "text/plain")
                .with("Location", "/payments/" + effects);
    }

    Function<Message, Answer> answering(int status) {
        return message -> Answer.of(status, ("run " + effects.incrementAndGet()).getBytes(UTF_8));
    }

    long records() {
        Inspectable.Counts count = store.count();
        return count.held() + count.lapsed() + count.unknown() + count.settled() + count.gone();
    }

    static String text(Answer answer) {
        return new String(answer.body(), UTF_8);
    }

    /** The name of the problem's type; empty where the answer is none. */
    static String problem(Answer answer) {
        String text = text(answer);
        String before = "{\"type\":\"urn:semel:problem:";
        return text.startsWith(before) ? text.substring(before.length(), text.indexOf('"', before.length())) : "";
    }

    static boolean replayed(Answer answer) {
        return answer.header("Idempotent-Replayed").equals(Optional.of("true"));
    }
}
