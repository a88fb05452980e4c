// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.store.Slot;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes of format 1, which stay readable forever; they are described in docs/formats/rocksdb.md. */
class StoredFormatTest {

    private static final String HELD = "0100" + "0000000000000007" + "00000000000000010000000000000002"
            + "0000000000001000" + "0000000000002000" + "7fffffffffffffff" + "00000003" + "0003" + "0002"
            + "736370" + "6964" + "6d65";
    private static final String SETTLED = "0101" + "0000000000000007" + "00000000000000010000000000000002"
            + "0000000000001800" + "00000000000f5a40" + "00000000002ddec0" + "00000003" + "0003" + "0002"
            + "736370" + "6964" + "616e73776572";

    private static final SlotRow ROW =
            SlotRow.held(Key.of("scp", "id"), new Fingerprint(1, 2), "me", 7, 3, 0x1000, 0x2000);
    private static final Retention KEPT = Retention.of(Duration.ofSeconds(1), Duration.ofSeconds(2));

    @Test
    void aHeldRow() {
        assertThat(hex(ROW.bytes())).isEqualTo(HELD);
        Slot slot = SlotRow.read(bytes(HELD)).slot(0x1800);

        assertThat(slot.key()).isEqualTo(Key.of("scp", "id"));
        assertThat(slot.fingerprint()).isEqualTo(new Fingerprint(1, 2));
        assertThat(slot.state()).isEqualTo(Slot.State.HELD);
        assertThat(slot.holder()).isEqualTo("me");
        assertThat(slot.fence()).isEqualTo(7);
        assertThat(slot.attempts()).isEqualTo(3);
        assertThat(slot.age()).isEqualTo(Duration.ofNanos(0x800 * 1000));
        assertThat(slot.remaining()).isEqualTo(Duration.ofNanos(0x800 * 1000));
    }

    @Test
    void aSettledRow() {
        byte[] answer = "answer".getBytes(StandardCharsets.UTF_8);
        assertThat(hex(ROW.settled(answer, KEPT, 0x1800).bytes())).isEqualTo(SETTLED);
        Slot slot = SlotRow.read(bytes(SETTLED)).slot(0x1800);

        assertThat(slot.state()).isEqualTo(Slot.State.SETTLED);
        assertThat(slot.result()).isEqualTo(answer);
        assertThat(slot.remaining()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aRowWhoseResultIsGone() {
        String gone = "0102" + SETTLED.substring(4, SETTLED.length() - 12);
        assertThat(hex(SlotRow.read(bytes(SETTLED)).gone().bytes())).isEqualTo(gone);

        assertThat(SlotRow.read(bytes(gone)).slot(0x1800).state()).isEqualTo(Slot.State.GONE);
    }

    @Test
    void anEntryOfTheIndex() {
        RowId id = new RowId(5, 6);
        String settled = "03" + "00000000000f4240" + "00000000001e8480" + "0000000000001800"
                + "00000000000000050000000000000006";
        assertThat(hex(IndexKey.of(SlotRow.read(bytes(SETTLED)), id).bytes())).isEqualTo(settled);
        assertThat(IndexKey.read(bytes(settled)))
                .isEqualTo(new IndexKey(IndexKey.SETTLED, 1_000_000, 2_000_000, 0x1800, id));

        String held = "01" + "0".repeat(32) + "0000000000001000" + "00000000000000050000000000000006";
        assertThat(hex(IndexKey.of(ROW, id).bytes())).isEqualTo(held);
    }

    @Test
    void theStoresOwnRecord() {
        String numbers = "0000000000000001" + "0000000000000002" + "0000000000000003" + "0000000000000004";
        String stored = "02" + numbers + "0000000000000005";
        assertThat(hex(new StoreState(1, 2, 3, 4, 5).bytes())).isEqualTo(stored);
        assertThat(StoreState.read(bytes(stored))).isEqualTo(new StoreState(1, 2, 3, 4, 5));
        assertThat(StoreState.read(bytes("01" + numbers)))
                .as("as it was before")
                .isEqualTo(new StoreState(1, 2, 3, 4, 1));
    }

    @Test
    void whatANewerVersionWroteIsRefused() {
        assertThatThrownBy(() -> SlotRow.read(bytes("02" + HELD.substring(2))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("newer version");
        assertThatThrownBy(() -> SlotRow.read(bytes("0103" + HELD.substring(4))))
                .isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> SlotRow.read(new byte[0])).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> StoreState.read(new byte[33])).isInstanceOf(StoreException.class);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
