// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.producer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.producer.Batch;
import io.semel.producer.Producer;
import io.semel.producer.Producers;
import io.semel.producer.Receipt;
import io.semel.producer.Receipt.Appended;
import io.semel.producer.Receipt.Duplicate;
import io.semel.producer.Receipt.Reason;
import io.semel.producer.Receipt.Refused;
import io.semel.testkit.internal.laws.Law;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The laws P1 to P8 as tests, for whoever keeps producers beside a log or a table: extend this class, say how a batch is appended
 * and what is there, run it.
 *
 * <p>What is there need not be clean: every test has producers and streams of its own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ProducerContract {

    /** The same producers in every call, as another process would see them. */
    protected abstract Producers open();

    /** Appends the batch, with these records. */
    protected abstract Receipt append(Batch batch, List<String> records);

    /** Appends the batch, with what appends it throwing this after it has appended. */
    protected abstract Receipt append(Batch batch, List<String> records, RuntimeException failure);

    /** What the stream has, in its order. */
    protected abstract List<String> records(String stream);

    /** Makes everything that is recorded older by this span, as if so much time had passed. */
    protected abstract void elapse(Duration span);

    private static String stream() {
        return "stream-" + UUID.randomUUID();
    }

    private Receipt send(Producer producer, String stream, int first, int count) {
        return append(
                new Batch(producer, stream, first, count),
                IntStream.range(0, count).mapToObj(i -> first + "+" + i).toList());
    }

    private long sent(Producer producer, String stream, int first, int count) {
        return assertInstanceOf(Appended.class, send(producer, stream, first, count))
                .position();
    }

    private void refuses(Reason reason, Producer producer, String stream, int first, int count) {
        List<String> before = records(stream);
        assertEquals(new Refused(reason), send(producer, stream, first, count));
        assertEquals(before, records(stream));
    }

    /** Case 85. */
    @Test
    @Law("P1")
    public void theFirstBatchHasSequenceZero() {
        String stream = stream();
        Producer producer = open().register();
        refuses(Reason.OUT_OF_ORDER, producer, stream, 7, 1);
        sent(producer, stream, 0, 2);
        assertEquals(List.of("0+0", "0+1"), records(stream));
    }

    /** Case 86. */
    @Test
    @Law("P1")
    public void whatFollowsIsAppendedAndAGapIsNot() {
        String stream = stream();
        Producer producer = open().register();
        sent(producer, stream, 0, 10);
        refuses(Reason.OUT_OF_ORDER, producer, stream, 12, 3);
        sent(producer, stream, 10, 5);
        assertEquals(15, records(stream).size());
    }

    /** Cases 90 and 91. */
    @Test
    @Law("P1")
    public void sequenceNumbersGoRound() {
        String stream = stream();
        Producer producer = open().register();
        reach(producer, stream, Integer.MAX_VALUE - 1);
        assertEquals(1, new Batch(producer, stream, Integer.MAX_VALUE, 3).last());
        sent(producer, stream, Integer.MAX_VALUE, 3);
        refuses(Reason.OUT_OF_ORDER, producer, stream, 1, 1);
        sent(producer, stream, 2, 1);
    }

    /** Case 90. */
    @Test
    @Law("P1")
    public void zeroFollowsTheLargest() {
        String stream = stream();
        Producer producer = open().register();
        reach(producer, stream, Integer.MAX_VALUE);
        refuses(Reason.OUT_OF_ORDER, producer, stream, 1, 1);
        sent(producer, stream, 0, 1);
    }

    private void reach(Producer producer, String stream, int last) {
        assertInstanceOf(Appended.class, append(new Batch(producer, stream, 0, last), List.of("many")));
        assertInstanceOf(Appended.class, append(new Batch(producer, stream, last, 1), List.of("one more")));
    }

    /** Case 87, and 98: with whatever another process sees. */
    @Test
    @Law("P2")
    public void theLastFiveBatchesAreRecognisedWithTheirPositions() {
        String stream = stream();
        Producer producer = open().register();
        List<Long> positions = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            positions.add(sent(producer, stream, i * 3, 3));
        }
        assertEquals(5, Set.copyOf(positions).size());
        List<String> before = records(stream);
        for (int i = 0; i < 5; i++) {
            assertEquals(new Duplicate(positions.get(i)), send(producer, stream, i * 3, 3));
        }
        assertEquals(before, records(stream));
    }

    /** Case 88. */
    @Test
    @Law("P3")
    public void aBatchOlderThanTheLastFiveIsOutOfOrder() {
        String stream = stream();
        Producer producer = open().register();
        for (int i = 0; i < 6; i++) {
            sent(producer, stream, i, 1);
        }
        refuses(Reason.OUT_OF_ORDER, producer, stream, 0, 1);
        assertInstanceOf(Duplicate.class, send(producer, stream, 1, 1));
    }

    /** Case 89. */
    @Test
    @Law("P3")
    public void anOverlapIsNoDuplicate() {
        String stream = stream();
        Producer producer = open().register();
        sent(producer, stream, 0, 10);
        sent(producer, stream, 10, 5);
        refuses(Reason.OUT_OF_ORDER, producer, stream, 10, 3);
        refuses(Reason.OUT_OF_ORDER, producer, stream, 12, 3);
        refuses(Reason.OUT_OF_ORDER, producer, stream, 10, 7);
    }

    /** Cases 92 and 94. */
    @Test
    @Law("P4")
    public void anOlderInstanceIsFencedAlsoWithADuplicate() {
        String stream = stream();
        String name = stream();
        Producer old = open().register(name);
        sent(old, stream, 0, 1);
        Producer young = open().register(name);
        assertEquals(old.id(), young.id());
        assertEquals(old.epoch() + 1, young.epoch());
        refuses(Reason.FENCED, old, stream, 0, 1);
        refuses(Reason.FENCED, old, stream, 1, 1);
        sent(young, stream, 0, 1);
        refuses(Reason.FENCED, old, stream, 0, 1);
    }

    /** Case 93. */
    @Test
    @Law("P4")
    public void aNewInstanceBeginsAtZeroAndKnowsNoBatchOfTheOld() {
        String stream = stream();
        String name = stream();
        Producer old = open().register(name);
        sent(old, stream, 0, 5);
        sent(old, stream, 5, 1);
        Producer young = open().register(name);
        refuses(Reason.OUT_OF_ORDER, young, stream, 5, 1);
        refuses(Reason.OUT_OF_ORDER, young, stream, 6, 1);
        sent(young, stream, 0, 5);
        refuses(Reason.OUT_OF_ORDER, young, stream, 6, 1);
        sent(young, stream, 5, 1);
        assertEquals(12, records(stream).size());
    }

    /** Case 96. */
    @Test
    @Law("P4")
    public void withoutANameARestartIsAnotherProducer() {
        String stream = stream();
        Producer first = open().register();
        sent(first, stream, 0, 1);
        Producer second = open().register();
        assertNotEquals(first.id(), second.id());
        sent(second, stream, 0, 1);
        sent(first, stream, 1, 1);
        assertEquals(3, records(stream).size());
    }

    @Test
    @Law("P4")
    public void whoHasNotRegisteredIsUnknown() {
        String stream = stream();
        Producer real = open().register(stream());
        refuses(Reason.UNKNOWN, new Producer(real.id() ^ 1, (short) 0), stream, 0, 1);
        refuses(Reason.UNKNOWN, new Producer(real.id(), (short) 1), stream, 0, 1);
        sent(real, stream, 0, 1);
    }

    /** Case 95. */
    @Test
    @Law("P5")
    public void streamsHaveSequenceNumbersOfTheirOwn() {
        String one = stream();
        String other = stream();
        Producer producer = open().register();
        sent(producer, one, 0, 3);
        refuses(Reason.OUT_OF_ORDER, producer, other, 3, 1);
        sent(producer, other, 0, 3);
        sent(producer, one, 3, 1);
        assertEquals(4, records(one).size());
        assertEquals(3, records(other).size());
    }

    @Test
    @Law("P5")
    public void namesThatDifferInCaseOnlyAreTwoProducers() {
        String name = stream();
        assertNotEquals(
                open().register(name).id(),
                open().register(name.replace('s', 'S')).id());
    }

    @Test
    @Law("P6")
    public void aBatchThatCouldNotBeAppendedMayBeSentAgain() {
        String stream = stream();
        Producer producer = open().register();
        Batch batch = new Batch(producer, stream, 0, 1);
        IllegalStateException failure = new IllegalStateException("The disk is full.");
        assertSame(failure, assertThrows(RuntimeException.class, () -> append(batch, List.of("lost"), failure)));
        assertInstanceOf(Appended.class, append(batch, List.of("kept")));
        List<String> records = records(stream);
        assertEquals("kept", records.get(records.size() - 1));
    }

    /** Case 97. */
    @Test
    @Law("P7")
    public void anIdleProducerIsForgottenAsAWhole() {
        String stream = stream();
        String name = stream();
        Producer idle = open().register(name);
        sent(idle, stream, 0, 1);
        elapse(Duration.ofDays(2));
        assertTrue(open().purge(Duration.ofDays(1), 1000) > 0);
        refuses(Reason.UNKNOWN, idle, stream, 0, 1);
        refuses(Reason.UNKNOWN, idle, stream, 1, 1);
        assertNotEquals(idle.id(), open().register(name).id());
    }

    /** Case 97. */
    @Test
    @Law("P7")
    public void aProducerThatAppendsIsNotIdle() {
        String stream = stream();
        Producer busy = open().register();
        elapse(Duration.ofDays(2));
        sent(busy, stream, 0, 1);
        open().purge(Duration.ofDays(1), 1000);
        assertInstanceOf(Duplicate.class, send(busy, stream, 0, 1));
    }

    @Test
    @Law("P7")
    public void aPurgeForgetsNoMoreThanItMay() {
        for (int i = 0; i < 3; i++) {
            open().register();
        }
        elapse(Duration.ofDays(2));
        assertEquals(2, open().purge(Duration.ofDays(1), 2));
        assertTrue(open().purge(Duration.ofDays(1), 1000) > 0);
        assertEquals(0, open().purge(Duration.ofDays(1), 1000));
    }

    /** Case 100. */
    @Test
    @Law("P8")
    public void anEndIsRecognisedWhenItIsAskedForAgain() {
        Producer producer = open().register();
        Producer next = open().advance(producer).orElseThrow();
        assertEquals(new Producer(producer.id(), (short) (producer.epoch() + 1)), next);
        assertEquals(Optional.of(next), open().advance(producer));
        Producer third = open().advance(next).orElseThrow();
        assertEquals(2, third.epoch());
        assertEquals(Optional.empty(), open().advance(producer));
        assertEquals(Optional.of(third), open().advance(next));
    }

    /** Case 100. */
    @Test
    @Law("P8")
    public void whatIsLateFromBeforeTheEndCannotJoinWhatFollows() {
        String stream = stream();
        Producer producer = open().register();
        sent(producer, stream, 0, 1);
        Producer next = open().advance(producer).orElseThrow();
        refuses(Reason.FENCED, producer, stream, 1, 1);
        sent(next, stream, 0, 1);
        refuses(Reason.FENCED, producer, stream, 0, 1);
        refuses(Reason.FENCED, producer, stream, 1, 1);
    }

    /** Case 100. */
    @Test
    @Law("P8")
    public void anOlderInstanceCannotEndWhatTheNewerDoes() {
        String name = stream();
        Producer old = open().register(name);
        Producer young = open().register(name);
        assertEquals(Optional.empty(), open().advance(old));
        assertEquals(Optional.empty(), open().advance(new Producer(young.id(), (short) 7)));
        assertEquals(Optional.empty(), open().advance(new Producer(young.id() ^ 1, (short) 0)));
        String stream = stream();
        sent(young, stream, 0, 1);
    }
}
