// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Fingerprint;
import io.semel.StoreException;
import io.semel.session.RequestState;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionState;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes of sessions in format 1, which stay readable forever; they are described in docs/formats/rocksdb.md. */
class SessionFormatTest {

    private static final String SESSION = "010001" + "00000040" + "000000003b9aca00" + "0000000000000005"
            + "0000000000000007" + "0000000000000009" + "0000000000001000" + "0000000000000800" + "00000003"
            + "00000001" + "0000000000000002" + "0003" + "0002" + "736370" + "6964";
    private static final String RUNNING =
            "0102" + "0000000000000007" + "00000000000000010000000000000002" + "0000000000001000" + "6d65";
    private static final String DONE =
            "0101" + "0000000000000007" + "00000000000000010000000000000002" + "0000000000000000" + "616e73776572";

    private static final Session TERMS =
            new Session(new SessionKey("scp", "id"), Session.Mode.STRICT, 64, Duration.ofSeconds(1));
    private static final SessionRow ROW =
            new SessionRow(new SessionState(TERMS, 5, 7, 9, 0x1000), false, 0x800, 3, List.of(2L));

    @Test
    void aSession() {
        assertThat(hex(ROW.bytes())).isEqualTo(SESSION);
        assertThat(SessionRow.read(bytes(SESSION))).isEqualTo(ROW);
    }

    @Test
    void aSessionThatHasExpired() {
        SessionRow ended = ROW.ended(0x1000);
        String stored = "010101" + SESSION.substring(6, 94) + "0000000df8476800" + "00000000" + "00000000"
                + SESSION.substring(142);

        assertThat(hex(ended.bytes())).isEqualTo(stored);
        assertThat(SessionRow.read(bytes(stored))).isEqualTo(ended);
    }

    @Test
    void aRequestThatRuns() {
        Fingerprint print = new Fingerprint(1, 2);
        RequestState running = new RequestState(print, 7, true, "me", 0x1000, null);

        assertThat(hex(RequestRow.bytes(running))).isEqualTo(RUNNING);
        assertThat(RequestRow.read(bytes(RUNNING))).isEqualTo(running);
    }

    @Test
    void aRequestThatIsDone() {
        RequestState done = RequestRow.read(bytes(DONE));

        assertThat(done.holder()).isNull();
        assertThat(done.result()).isEqualTo(bytes("616e73776572"));
        assertThat(done.fence()).isEqualTo(7);
        assertThat(hex(RequestRow.bytes(done))).isEqualTo(DONE);
    }

    @Test
    void theKeys() {
        RowId id = new RowId(5, 6);
        assertThat(hex(SessionKeys.session(id))).isEqualTo("01" + "00000000000000050000000000000006");
        assertThat(hex(SessionKeys.request(id, 7)))
                .isEqualTo("02" + "00000000000000050000000000000006" + "0000000000000007");
        assertThat(hex(new SessionKeys.Listed(8, id).bytes()))
                .isEqualTo("03" + "0000000000000008" + "00000000000000050000000000000006");
    }

    @Test
    void howManyThereAre() {
        String stored = "02" + "0000000000000001" + "0000000000000002" + "0000000000000003";
        assertThat(hex(new SessionCounts(1, 2, 3).bytes())).isEqualTo(stored);
        assertThat(SessionCounts.read(bytes(stored))).isEqualTo(new SessionCounts(1, 2, 3));
    }

    @Test
    void whatANewerVersionWroteIsRefused() {
        assertThatThrownBy(() -> SessionRow.read(bytes("02" + SESSION.substring(2))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("newer version");
        assertThatThrownBy(() -> SessionRow.read(bytes(SESSION.substring(0, SESSION.length() - 2))))
                .isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> RequestRow.read(bytes("02" + RUNNING.substring(2))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("newer version");
        assertThatThrownBy(() -> RequestRow.read(new byte[0])).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> SessionCounts.read(new byte[16])).isInstanceOf(StoreException.class);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
