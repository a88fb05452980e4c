// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.rocksdb.internal.format.RowId;
import io.semel.rocksdb.internal.format.SlotRow;
import org.junit.jupiter.api.Test;

/** What is kept in memory is never older than what is on disk and acknowledged. */
class RecentRowsTest {

    private static final RowId ID = new RowId(1, 7);
    private static final SlotRow HELD = SlotRow.held(Key.of("s", "k"), Fingerprint.none(), "me", 1, 1, 10, 20);
    private static final SlotRow SETTLED = HELD.settled(new byte[] {1}, Retention.DEFAULT, 15);

    private final RecentRows recent = new RecentRows();

    @Test
    void whatWasWrittenIsTold() {
        recent.changed(ID, SETTLED);

        assertThat(recent.at(ID).tells(ID)).isTrue();
        assertThat(recent.at(ID).row()).isSameAs(SETTLED);
        assertThat(recent.at(ID).tells(new RowId(2, 7)))
                .as("another id at the same place")
                .isFalse();
    }

    @Test
    void whatWasDeletedIsToldToBeAbsent() {
        recent.changed(ID, null);

        assertThat(recent.at(ID).tells(ID)).isTrue();
        assertThat(recent.at(ID).row()).isNull();
    }

    @Test
    void whatWasReadIsKeptIfNothingChangedMeanwhile() {
        recent.read(ID, SETTLED, recent.at(ID));

        assertThat(recent.at(ID).row()).isSameAs(SETTLED);
    }

    @Test
    void whatWasReadBeforeAChangeIsNotKept() {
        RecentRows.Entry before = recent.at(ID);
        recent.changing(ID);
        recent.read(ID, HELD, before);
        assertThat(recent.at(ID).tells(ID)).isFalse();

        recent.changed(ID, SETTLED);
        recent.read(ID, HELD, before);
        assertThat(recent.at(ID).row()).isSameAs(SETTLED);
    }

    @Test
    void whatIsReadWhileItChangesIsNotKept() {
        recent.changing(ID);
        recent.read(ID, HELD, recent.at(ID));

        assertThat(recent.at(ID).tells(ID)).isFalse();
    }

    @Test
    void largeRowsAreNotKept() {
        SlotRow large = HELD.settled(new byte[10_000], Retention.DEFAULT, 15);
        recent.changed(ID, large);
        assertThat(recent.at(ID).tells(ID)).isFalse();

        recent.read(ID, large, recent.at(ID));
        assertThat(recent.at(ID).tells(ID)).isFalse();
    }
}
