// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.NotDone;
import io.semel.Outcome;
import io.semel.http.Answer;
import io.semel.http.HttpRules;
import io.semel.memory.MemoryStore;
import io.semel.store.Store;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** One application after another on the same records: what a deploy does to answers, and to fingerprints. */
class VersionsTest {

    private static final String SECRET =
            "semel.fingerprints.secret=" + Base64.getEncoder().encodeToString(new byte[32]);
    private static final AtomicInteger RUNS = new AtomicInteger();

    private final MemoryStore store = new MemoryStore();

    record Receipt(String number) {}

    record Other(int cents, List<String> lines) {

        Other {
            lines = List.copyOf(lines);
        }
    }

    static class First {

        @Idempotent(operation = "pay")
        public Receipt pay(String id) {
            return new Receipt("R-" + RUNS.incrementAndGet());
        }
    }

    static class Second {

        @Idempotent(operation = "pay")
        public Other pay(String id) {
            return new Other(RUNS.incrementAndGet(), List.of());
        }
    }

    private ApplicationContextRunner app(Class<?> service, String... properties) {
        return Apps.bare()
                .withBean("mine", Store.class, () -> store)
                .withBean(service)
                .withPropertyValues(properties);
    }

    private static void assertRefused(Throwable thrown, Outcome.Reason reason) {
        assertThat(((NotDone) thrown).outcome()).isEqualTo(new Outcome.Refused<>(reason));
    }

    @Test
    void anAnswerOfATypeThatIsGoneIsNotRetainedAndNotRunAgain() {
        app(First.class).run(context -> context.getBean(First.class).pay("1"));
        int runs = RUNS.get();
        app(Second.class).run(context -> {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> context.getBean(Second.class).pay("1"))
                        .satisfies(thrown -> assertRefused(thrown, Outcome.Reason.NOT_RETAINED));
            }
        });
        assertThat(RUNS).hasValue(runs);
    }

    @Test
    void answersOfOtherVersionsCanBeRefused() {
        app(First.class, "semel.version=1")
                .run(context -> context.getBean(First.class).pay("1"));
        app(First.class, "semel.version=2")
                .run(context -> assertThat(context.getBean(First.class).pay("1").number())
                        .startsWith("R-"));
        int runs = RUNS.get();
        app(First.class, "semel.version=2", "semel.answers-of-other-versions=gone")
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(First.class).pay("1"))
                        .satisfies(thrown -> assertRefused(thrown, Outcome.Reason.GONE)));
        assertThat(RUNS).hasValue(runs);
    }

    @Test
    void underASecretFingerprintsConfirmNoGuessAndARetryFindsItsAnswer() {
        app(First.class).run(context -> context.getBean(First.class).pay("plain"));
        for (int i = 0; i < 2; i++) {
            app(First.class, SECRET).run(context -> context.getBean(First.class).pay("secret"));
        }
        assertThat(stored("plain")).isEqualTo(guess("plain"));
        assertThat(stored("secret")).isNotEqualTo(guess("secret"));
        app(First.class)
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(First.class).pay("secret"))
                        .satisfies(thrown -> assertRefused(thrown, Outcome.Reason.MISMATCH)));
    }

    private Fingerprint stored(String id) {
        return store.look(Key.of("pay", id)).orElseThrow().fingerprint();
    }

    private static Fingerprint guess(String id) {
        return Fingerprint.of(("[\"" + id + "\"]").getBytes(UTF_8));
    }

    @Test
    void aSecretThatIsNoneStopsTheStart() {
        app(First.class, "semel.fingerprints.secret=c2hvcnQ=")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("semel.fingerprints.secret")
                        .hasMessageNotContaining("c2hvcnQ="));
    }

    @RestController
    static class Controller {

        @PostMapping("/pay")
        String pay() {
            return "run " + RUNS.incrementAndGet();
        }
    }

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Controller.class)
    static class Web1 {

        static final MemoryStore STORE = new MemoryStore();

        @Bean
        Store mine() {
            return STORE;
        }
    }

    static class Web2 extends Web1 {

        @Bean
        HttpRules rules() {
            return HttpRules.standard()
                    .renderReplays((stored, request) ->
                            stored.version().equals("1") ? Answer.of(200, "shape two".getBytes(UTF_8)) : stored);
        }
    }

    @Test
    void overHttpARendererIsToldTheVersion() throws Exception {
        String bare = Web.WITHOUT_SECURITY + "," + Boot.DATABASE;
        String first;
        try (Web web = Web.start(Web1.class, bare, SECRET, "semel.version=1")) {
            first = web.post("/pay", "", "17").text();
            assertThat(web.post("/pay", "", "17").text()).isEqualTo(first);
        }
        assertThat(Web1.STORE.look(Key.of("http/anonymous", "17"))).isPresent();
        try (Web web = Web.start(Web2.class, bare, SECRET, "semel.version=2")) {
            Got second = web.post("/pay", "", "17");
            assertThat(second.text()).isEqualTo("shape two");
            assertThat(second.replayed()).isTrue();
        }
        try (Web web = Web.start(Web1.class, bare, SECRET, "semel.version=2", "semel.answers-of-other-versions=gone")) {
            assertThat(web.post("/pay", "", "17").problem()).isEqualTo("gone");
        }
    }
}
