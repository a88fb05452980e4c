// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.demo;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A client that pays orders, and sends each until an answer arrives. */
final class PayingClient implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMillis(200);
    private static final long GIVES_UP_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
    private static final int MOST_DOUBLINGS = 5;

    private final Storm storm;
    private final StormCounters tally;
    private final PaymentConnection wire;

    PayingClient(Storm storm) {
        this.storm = storm;
        this.tally = storm.tally;
        this.wire = new PaymentConnection(storm.port, PATIENCE);
    }

    void pay(String order, ClientBehaviour weather) {
        tally.requests.increment();
        long cents = weather.cents();
        if (!sendUntilAnswered(order, cents, weather)) {
            tally.unanswered.increment();
        }
        if (weather.deliversLate()) {
            storm.later(client -> client.deliver(order, cents));
        }
        if (weather.changesItsMind()) {
            deliver(order, cents + 1);
        }
    }

    private boolean sendUntilAnswered(String order, long cents, ClientBehaviour weather) {
        long start = System.nanoTime();
        for (int tries = 0; System.nanoTime() - start < GIVES_UP_NANOS && !storm.isStopped(); tries++) {
            if (weather.clicksTwice()) {
                storm.meanwhile(client -> client.deliver(order, cents));
            }
            Heard heard = weather.losesAnswer() ? breakOff(order, cents) : deliver(order, cents);
            if (heard != Heard.NOTHING) {
                return heard == Heard.RECEIPT;
            }
            LockSupport.parkNanos(FIRST_PAUSE_NANOS << Math.min(tries, MOST_DOUBLINGS));
        }
        return false;
    }

    private Heard breakOff(String order, long cents) {
        tally.deliveries.increment();
        tally.lostAnswers.increment();
        try {
            wire.payAndBreak(order, cents);
        } catch (IOException e) {
            tally.failures.increment();
        }
        return Heard.NOTHING;
    }

    private Heard deliver(String order, long cents) {
        tally.deliveries.increment();
        long start = System.nanoTime();
        try {
            PaymentConnection.Answer answer = wire.pay(order, cents);
            tally.spans.add(Duration.ofNanos(System.nanoTime() - start));
            return heard(order, answer);
        } catch (SocketTimeoutException e) {
            tally.timeouts.increment();
        } catch (IOException e) {
            tally.failures.increment();
        }
        return Heard.NOTHING;
    }

    private Heard heard(String order, PaymentConnection.Answer answer) {
        if (answer.status() < 300) {
            tally.answered(order, answer.body());
            if (answer.replayed()) {
                tally.replays.increment();
            }
            return Heard.RECEIPT;
        }
        if (answer.status() == 422) {
            tally.conflicts.increment();
            return Heard.NO;
        }
        boolean refused = answer.status() == 409;
        (!refused ? tally.failures : answer.body().contains("outcome-unknown") ? tally.unknown : tally.busy)
                .increment();
        return Heard.NOTHING;
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }

    private enum Heard {
        RECEIPT,
        NO,
        NOTHING
    }
}
