// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.http.Answer;
import io.semel.rocksdb.RocksStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator settles, the owner of the key can read. */
class ResolveTest {

    private static final Operation OPERATION = Operation.named("pay");

    @TempDir
    private Path directory;

    private Path data;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void locate() {
        data = directory.resolve("data");
    }

    private int resolve(String scope, String... more) {
        List<String> args =
                new ArrayList<>(List.of("keys", "resolve", "1", "--scope", scope, "--store", "rocksdb:" + data));
        args.addAll(List.of(more));
        return Semel.run(new PrintWriter(out, true), new PrintWriter(err, true), args.toArray(String[]::new));
    }

    private static Call call(String scope) {
        return Call.of(Key.of(scope, "1"), Fingerprint.of("5 EUR"));
    }

    /** A holder claims it and falls silent. */
    private void lapse(String scope) {
        try (RocksStore store = RocksStore.open(data)) {
            Claim.Granted granted = (Claim.Granted) store.claim(call(scope), "gone", Duration.ofMinutes(1));
            store.settle(call(scope).key(), "gone", granted.fence(), new Settlement.Renew(Duration.ZERO));
        }
    }

    private <T> Outcome<T> retry(String scope, Codec<T> codec) {
        try (RocksStore store = RocksStore.open(data)) {
            return Engine.on(store).with(OPERATION).run(call(scope), codec, attempt -> {
                throw new AssertionError("It ran again.");
            });
        }
    }

    @Test
    void aKeyOfAProgramGetsAnAnswerThatTheProgramReads() {
        lapse("payments");
        assertThat(retry("payments", Codec.utf8())).isInstanceOf(Outcome.Refused.class);
        assertThat(resolve("payments", "--body", "paid")).isZero();
        assertThat(retry("payments", Codec.utf8())).isEqualTo(new Outcome.Done<>("paid", true));
    }

    @Test
    void aLapsedKeyOfAProgramIsNotGivenAnHttpAnswer() {
        lapse("payments");
        assertThat(resolve("payments", "--body", "paid")).isNotZero();
        assertThat(err.toString()).contains("does not say how its service keeps answers", "--form json");
        assertThat(resolve("payments", "--body", "paid", "--form", "utf8")).isZero();
        assertThat(retry("payments", Codec.utf8())).isEqualTo(new Outcome.Done<>("paid", true));
    }

    @Test
    void anAnswerOfAnotherFormThanTheKeysIsRefused() {
        lapse("payments");
        retry("payments", Codec.utf8());
        assertThat(resolve("payments", "--body", "paid", "--form", "http")).isNotZero();
        assertThat(err.toString()).contains("keeps its answers as 'utf8'");
        assertThat(resolve("payments", "--form", "xml")).isNotZero();
        assertThat(err.toString()).contains("--form: 'xml' is none of http, json, utf8, nothing");
    }

    @Test
    void aKeyOfAnHttpRequestGetsAnHttpAnswer() {
        lapse("http/anonymous");
        assertThat(resolve("http/anonymous", "--status", "201", "--body", "{}")).isZero();
        Outcome<Answer> outcome = retry("http/anonymous", Answer.codec());
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Done.class,
                        done -> assertThat(((Answer) done.value()).status()).isEqualTo(201));
    }

    @Test
    void whatIsSettledByHandIsKeptAsLongAsTheRoutesKeepTheirs() throws Exception {
        lapse("http/anonymous");
        Path settings =
                Files.writeString(directory.resolve("semel.yaml"), "upstream: http://127.0.0.1:9000\nretention: 2d\n");
        assertThat(resolve("http/anonymous", "--config", settings.toString())).isZero();
        try (RocksStore store = RocksStore.open(data)) {
            assertThat(store.look(call("http/anonymous").key()).orElseThrow().remaining())
                    .isGreaterThan(Duration.ofHours(47));
        }
    }
}
