// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.semel.producer.Batch;
import io.semel.producer.Producer;
import io.semel.producer.ProducerState;
import io.semel.producer.Receipt.Duplicate;
import io.semel.producer.Receipt.Reason;
import io.semel.producer.StreamState;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ProducerStateTest {

    private static final Producer LAST = new Producer(1, Short.MAX_VALUE);

    /** Case 99. */
    @Test
    void whoHasUsedUpItsEpochsGetsAnotherId() {
        Producer fresh = new Producer(2, (short) 0);
        assertThat(new ProducerState(LAST, false).registered(2).latest()).isEqualTo(fresh);
        ProducerState advanced =
                new ProducerState(LAST, false).advanced(LAST, 2).orElseThrow();
        assertThat(advanced.latest()).isEqualTo(fresh);
        assertThat(advanced.refusal(LAST)).contains(Reason.UNKNOWN);
    }

    /** Case 98: all five, not only the last. */
    @Test
    void whatIsStoredIsReadAgain() {
        Producer producer = new Producer(5, (short) 3);
        StreamState state = StreamState.fresh(producer);
        for (int i = 0; i < 7; i++) {
            state = state.with(new Batch(producer, "s", state.next(), 2), 100 + i);
        }
        StreamState read = StreamState.read(state.toBytes());
        assertThat(read).isEqualTo(state);
        assertThat(read.known(new Batch(producer, "s", 4, 2))).contains(new Duplicate(102));
        assertThat(StreamState.read(StreamState.fresh(producer).toBytes())).isEqualTo(StreamState.fresh(producer));
    }

    /** The stored form of version 1 stays readable. */
    @Test
    void theStoredFormIsAsDocumented() {
        byte[] stored = {1, 0, 3, 1, 0, 0, 0, 7, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 1, 0};
        StreamState state = StreamState.read(stored);
        assertThat(state.known(new Batch(new Producer(1, (short) 3), "s", 7, 3)))
                .contains(new Duplicate(256));
        assertThat(state.toBytes()).isEqualTo(stored);
    }

    @Test
    void whatIsDamagedIsNotGuessedAt() {
        byte[] stored = StreamState.fresh(LAST).toBytes();
        assertThatIllegalStateException().isThrownBy(() -> StreamState.read(new byte[0]));
        assertThatIllegalStateException().isThrownBy(() -> StreamState.read(Arrays.copyOf(stored, 7)));
        stored[3] = 1;
        assertThatIllegalStateException().isThrownBy(() -> StreamState.read(stored));
        stored[0] = 2;
        assertThatIllegalStateException().isThrownBy(() -> StreamState.read(stored));
    }

    @Test
    void aBatchHasANameAndAtLeastOneRecord() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Batch(LAST, "", 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Batch(LAST, "ü".repeat(128), 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Batch(LAST, "s", -1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Batch(LAST, "s", 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Producer(-1, (short) 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Producer(0, (short) -1));
    }
}
