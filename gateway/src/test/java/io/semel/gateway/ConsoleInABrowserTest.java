// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.gateway.admin.AdminServer;
import io.semel.gateway.admin.api.Console;
import io.semel.gateway.admin.audit.AuditLog;
import io.semel.gateway.config.Address;
import io.semel.gateway.store.OpenStore;
import io.semel.gateway.store.StoreUrl;
import io.semel.session.MemorySessions;
import io.semel.session.SessionStore;
import io.semel.store.Inspectable;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** The operators' page in a real browser; needs Chromium on the path, so that the profile "browser" turns it on. */
@Tag("browser")
@Timeout(120)
class ConsoleInABrowserTest {

    private static final Path PICTURES = Path.of("target", "pictures");
    private static final Map<String, String> AWAITED = Map.of(
            "overview",
            "Store",
            "unknown",
            "Nobody knows",
            "lapsed",
            "Every holder is alive",
            "recent",
            "of-two",
            "key",
            "Story",
            "found",
            "of-two",
            "audit",
            "ticket",
            "settings",
            "Limits");

    @TempDir
    private static Path profile;

    private static Browser browser;

    private final OpenStore open = StoreUrl.open(List.of("memory:"), false);
    private final Console console = new Console(open, new AuditLog(profile.resolve("audit.log")));
    private final GatewayFixture rig =
            new GatewayFixture("", Engine.on(open.store()).withListener(console));
    private final AdminServer admin = AdminServer.start(Address.of("127.0.0.1:0"), null, console);

    @BeforeAll
    static void start() {
        browser = new Browser(profile);
    }

    @AfterAll
    static void stop() {
        browser.close();
    }

    @BeforeEach
    void watch() {
        console.watch(rig.gateway);
        browser.look(1280, 900, "light");
    }

    @AfterEach
    void nothingWasComplainedAbout() {
        admin.close();
        rig.close();
        open.close();
        assertThat(browser.complaints).isEmpty();
    }

    private void open(String view) {
        browser.open("about:blank");
        browser.open("http://127.0.0.1:" + admin.address().getPort() + "/#" + view);
    }

    private void lose(String key) {
        rig.origin.behaviour = CountingService::hangUp;
        assertThat(rig.pay(key).body()).contains("outcome-unknown");
        assertThat(rig.pay(key).body()).contains("outcome-unknown");
        rig.origin.behaviour = CountingService::created;
    }

    @Test
    void theOverviewShowsRatesDuplicatesAndTheStore() {
        for (int i = 0; i < 20; i++) {
            rig.pay("key-" + i % 5);
        }
        open("overview");

        browser.await("document.querySelector('.tile.executed .note')?.innerText.includes('5 in all')");
        browser.await("document.querySelector('.tile.replayed .note')?.innerText.includes('15 in all')");
        browser.awaitText("75.0 %");
        browser.awaitText("BEST_EFFORT");
        browser.await("document.querySelectorAll('svg path.line').length === 8");
        browser.picture(PICTURES.resolve("overview.png"));
    }

    @Test
    void failuresAreShownAndTheLastRequestsTellHowTheyEnded() {
        rig.pay("good");
        rig.origin.behaviour = (exchange, body, effect) -> CountingService.answer(exchange, 500, "");
        for (int i = 0; i < 30; i++) {
            rig.pay("bad-" + i);
        }
        open("overview");
        browser.await("document.querySelector('.tile.failed .note')?.innerText.includes('30 at the service')");
        browser.await("document.querySelector('.legend .failed') !== null");
        browser.picture(PICTURES.resolve("failures.png"));

        open("recent");
        browser.awaitText("failed, not kept: a retry runs");
        assertThat(browser.text()).contains("500", "201", "carried out").doesNotContain("sent to the service");
        browser.picture(PICTURES.resolve("ended.png"));
    }

    @Test
    void aSecondBetweenGapsIsADotInTheChartOfLatency() {
        rig.pay("lone");
        open("overview");

        browser.await("document.querySelectorAll('svg circle.dot').length === 2");
        assertThat(browser.value("document.querySelector('svg circle.dot').getBoundingClientRect().width")
                        .asDouble())
                .isGreaterThanOrEqualTo(5);
        browser.picture(PICTURES.resolve("lone.png"));
    }

    @Test
    void theStoryTellsWhatRanAndTheViewsWhatTheyAre() {
        rig.origin.behaviour = CountingService::hangUp;
        rig.pay("silent");
        open("lapsed");
        browser.awaitText("no retry has come since");
        rig.pay("silent");
        open("unknown");
        browser.awaitText("every retry is refused");
        open("key?scope=http/anonymous&id=silent");

        browser.awaitText("2 times, last with fence");
        browser.await("document.querySelector('table caption').innerText === 'Runs'");
        browser.awaitText("silent, ");
        browser.picture(PICTURES.resolve("runs.png"));
    }

    @Test
    void anUnknownOutcomeIsResolvedAfterAQuestionAndThatIsNoted() {
        lose("lost");
        open("unknown");

        browser.press("It happened…");
        browser.awaitText("This cannot be taken back.");
        browser.type("dialog [name=body]", "{\"by\":\"hand\"}");
        browser.type("dialog [name=operator]", "ann");
        browser.type("dialog [name=why]", "the bank has it");
        browser.picture(PICTURES.resolve("dialog.png"));
        browser.press("Record this answer");
        browser.awaitText("No outcome is unknown.");

        HttpResponse<String> retry = rig.pay("lost");
        assertThat(retry.statusCode()).isEqualTo(200);
        assertThat(retry.body()).isEqualTo("{\"by\":\"hand\"}");
        browser.press("Audit");
        browser.awaitText("ann");
        assertThat(browser.text()).contains("resolve", "APPLIED", "127.0.0.1", "lost", "the bank has it");
    }

    @Test
    void aQuestionThatIsCancelledChangesNothing() {
        lose("kept");
        open("unknown");

        browser.press("It did not…");
        browser.awaitText("it happens twice");
        browser.press("Cancel");
        browser.await("document.querySelector('dialog') === null");

        assertThat(rig.pay("kept").body()).contains("outcome-unknown");
        assertThat(rig.origin.effects("kept")).isEqualTo(1);
    }

    @Test
    void aReleasedKeyRunsAgain() {
        lose("free");
        open("unknown");

        browser.press("It did not…");
        browser.type("dialog [name=operator]", "bob");
        browser.press("Free the key");
        browser.awaitText("No outcome is unknown.");

        assertThat(rig.pay("free").statusCode()).isEqualTo(201);
    }

    @Test
    void anAnswerIsHiddenUntilItIsAskedForAndTheAskingIsNoted() {
        rig.origin.behaviour = (exchange, body, effect) -> CountingService.answer(exchange, 201, "card 4242");
        rig.pay("secret");
        rig.pay("secret");
        open("find");

        browser.type("[name=id]", "secret");
        browser.key("Enter");
        browser.awaitText("Replayed");
        assertThat(browser.value("document.documentElement.outerHTML").asString())
                .contains("Executed")
                .doesNotContain("4242");
        browser.press("Show the answer…");
        browser.type("dialog [name=operator]", "eve");
        browser.press("Show it");
        browser.awaitText("card 4242");
        browser.awaitText("reveal");
        assertThat(browser.text()).contains("eve");
        browser.picture(PICTURES.resolve("story.png"));
    }

    @Test
    void whatIsUnderWayIsListedWithItsAgeAndLease() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch arrived = new CountDownLatch(1);
        rig.origin.behaviour = (exchange, body, effect) -> {
            arrived.countDown();
            CountingService.await(go);
            CountingService.created(exchange, body, effect);
        };
        var first = rig.paying("slow");
        assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
        open("in-flight");

        browser.awaitText("slow");
        assertThat(browser.text()).contains("held", "s left");
        go.countDown();
        first.get(30, TimeUnit.SECONDS);
        browser.awaitText("No requests in flight.");
    }

    @Test
    void aHostileKeyIsTextAndNothingElse() {
        String key = "<img/src=x/onerror=document.title='owned'><script>document.title='owned'</script>";
        lose('"' + key + '"');
        String scope = "http/anonymous";
        for (String view : List.of(
                "unknown", "find?id=" + Browser.encoded(key), "key?scope=" + scope + "&id=" + Browser.encoded(key))) {
            open(view);
            browser.awaitText(key);
            assertThat(browser.value("document.title").asString()).doesNotContain("owned");
            assertThat(browser.value("document.querySelectorAll('main img, main script').length")
                            .asInt())
                    .isZero();
        }
        open("unknown");
        browser.press("It did not…");
        browser.type("dialog [name=operator]", key);
        browser.press("Free the key");
        browser.awaitText("No outcome is unknown.");
        browser.press("Audit");
        browser.awaitText(key);
        assertThat(browser.value("document.title").asString()).doesNotContain("owned");
    }

    @Test
    void sessionsAreShownWhereThereAreAny() {
        open("overview");
        browser.await("document.querySelector('.tile.executed .value')");
        assertThat(browser.text()).doesNotContain("window full");
        SessionStore sessions = new MemorySessions(10);
        try (GatewayFixture numbered =
                new GatewayFixture("sessions: {window: 4}", sessions, console.watch(sessions, "http/anonymous", 100))) {
            String id = numbered.send(numbered.to("/.semel/sessions")
                            .POST(BodyPublishers.noBody())
                            .build())
                    .headers()
                    .firstValue("Location")
                    .orElseThrow()
                    .replaceFirst(".*/", "");
            for (String number : List.of("1", "1", "1", "9")) {
                numbered.send(numbered.to("/payments")
                        .header("Semel-Session", id)
                        .header("Semel-Request", number)
                        .header("Semel-First-Outstanding", "1")
                        .POST(BodyPublishers.ofString("{}"))
                        .build());
            }
            browser.awaitText("Sessions");
            browser.await(fact("open", "1"));
            browser.await(fact("carried out", "1"));
            browser.await(fact("replayed", "2"));
            browser.await(fact("window full", "1"));
            browser.await(fact("session expired", "0"));
            pictures("sessions");
            open("find");
            browser.type("[name=id]", id);
            browser.key("Enter");
            browser.awaitText("all answers below 1");
            browser.awaitText("WINDOW_FULL");
            assertThat(browser.text()).contains("Executed", "Replayed", "done").doesNotContain("effect 1");
            pictures("session");
        }
    }

    private static String fact(String name, String value) {
        return "[...document.querySelectorAll('dl div')].some((each) => each.innerText === '" + name + "\\n" + value
                + "')";
    }

    /** At both widths, one of them dark and the other light; nothing may stick out. */
    private void pictures(String name) {
        picture(name, 360, "dark");
        picture(name, 1280, "light");
    }

    private void picture(String name, int width, String scheme) {
        browser.look(width, 900, scheme);
        assertThat(browser.value("document.documentElement.scrollWidth").asInt())
                .as("%s at %d", name, width)
                .isLessThanOrEqualTo(width);
        browser.picture(PICTURES.resolve(name + "-" + width + "-" + scheme + ".png"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "overview",
                "recent",
                "in-flight",
                "unknown",
                "lapsed",
                "find",
                "key",
                "found",
                "audit",
                "settings"
            })
    void nothingIsCutOffAt360Pixels(String view) {
        String key = "x".repeat(200);
        lose(key);
        rig.pay("of-two", "{}", "Authorization", "Bearer ann");
        rig.pay("of-two", "{}", "Authorization", "Bearer bob");
        console.post(
                "/api/release",
                JsonMapper.shared()
                        .createObjectNode()
                        .put("scope", "http/anonymous")
                        .put("id", key.substring(1))
                        .put("operator", "Ann Bernadette Clarkson-Underhill")
                        .put(
                                "why",
                                "The bank says that nothing was booked; see ticket 4711, and the e-mail of Friday"));
        browser.look(360, 740, "dark");
        open(view.equals("key") ? "find?id=" + key : view.equals("found") ? "find?id=of-two" : view);

        browser.await("document.querySelector('main').innerText.length > 20");
        browser.awaitText(AWAITED.getOrDefault(view, ""));
        pictures(view);
    }

    private void lapse(int count) {
        for (int i = 0; i < count; i++) {
            Key key = Key.of("http/anonymous", "lapsed-" + i);
            open.store().claim(Call.of(key, Fingerprint.of(new byte[] {1})), "gone", Duration.ofNanos(1));
        }
    }

    @Test
    void lapsedKeysHaveAViewAndABadgeOfTheirOwnAndAreNotInFlight() {
        lapse(3);
        lose("lost");
        open("in-flight");

        browser.awaitText("No requests in flight.");
        browser.await("document.getElementById('badge-lapsed').innerText === '3'");
        browser.await("document.getElementById('badge-unknown').innerText === '1'");
        browser.press("Lapsed 3");
        browser.awaitText("lapsed-2");
        browser.picture(PICTURES.resolve("lapsed.png"));
        open("unknown");
        browser.awaitText("POST /payments");
        assertThat(browser.text()).doesNotContain("lapsed-2");
    }

    @Test
    void manyKeysAreReleasedAfterAQuestionThatSaysHowMany() {
        lapse(1203);
        open("lapsed");
        browser.press("None of them happened…");
        browser.awaitText("nothing is changed yet");
        browser.value("document.querySelector('dialog [name=olderThan]').value = '0s'");
        browser.press("Count them");
        browser.awaitText("1,203 keys");
        browser.type("dialog [name=operator]", "ann");
        browser.picture(PICTURES.resolve("sweep.png"));
        assertThat(((Inspectable) open.store()).count().lapsed()).isEqualTo(1203);
        browser.press("Free 1,203 keys");
        browser.awaitText("Every holder is alive.");

        assertThat(((Inspectable) open.store()).count().lapsed()).isZero();
        browser.await("document.getElementById('badge-lapsed').hidden");
        open("audit");
        browser.awaitText("sweep: release");
    }

    @Test
    void recentKeysAreListedWithTheirRequestsAndTraces() {
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        rig.pay("first", "{}", "traceparent", "00-" + trace + "-00f067aa0ba902b7-01");
        rig.pay("second", "{}");
        rig.pay("second", "{\"other\":1}");
        open("recent");

        browser.awaitText("refused: key-reused");
        assertThat(browser.text()).containsSubsequence("second", "first", "carried out", trace);
        browser.picture(PICTURES.resolve("recent.png"));
        open("key?scope=http/anonymous&id=first");
        browser.awaitText("Requests");
        browser.awaitText(trace);
        assertThat(browser.text()).contains("POST /payments");
    }

    @Test
    void afterACalmTheLastActivityIsShownWithItsTime() {
        open("overview");
        browser.await("document.querySelector('.tile.executed .value')?.innerText === '–'");
        browser.awaitText("p50");
        assertThat(browser.text()).doesNotContainPattern("(^|\\s)0 µs");
        for (int i = 0; i < 300; i++) {
            rig.pay("calm-" + i % 100);
        }
        browser.await("document.querySelector('.moment')?.innerText.includes('nothing since')");
        browser.await("!['0', '–'].includes(document.querySelector('.tile.executed .value')?.innerText)");
        browser.await("document.querySelector('.tile.executed .note')?.innerText.includes('ago; 100 in all')");
        assertThat(browser.text()).doesNotContainPattern("(^|\\s)0 µs");
        browser.picture(PICTURES.resolve("calm.png"));
    }

    @Test
    void everythingCanBeDoneWithTheKeyboard() {
        lose("typed");
        open("unknown");
        browser.awaitText("typed");

        for (int i = 0;
                i < 30
                        && !browser.value("document.activeElement.innerText === 'It did not…'")
                                .asBoolean();
                i++) {
            browser.key("Tab");
        }
        browser.key("Enter");
        browser.await("document.querySelector('dialog[open]')");
        browser.key("Escape");
        browser.await("document.querySelector('dialog') === null");
        browser.key("Enter");
        browser.type("dialog [name=operator]", "keys");
        browser.key("Enter");
        browser.awaitText("No outcome is unknown.");
    }

    @Test
    void aPortWithATokenAsksForItOnceAndNeverPutsItIntoAnAddress() {
        try (AdminServer guarded = AdminServer.start(Address.of("127.0.0.1:0"), "hush", console)) {
            browser.open("about:blank");
            browser.open("http://127.0.0.1:" + guarded.address().getPort() + "/#settings");
            browser.awaitText("Sign in");
            browser.type("[type=password]", "wrong");
            browser.key("Enter");
            browser.await("document.querySelector('[type=password]')?.value === ''");
            browser.type("[type=password]", "hush");
            browser.key("Enter");
            browser.awaitText("Routes");
            assertThat(browser.value("performance.getEntries().map((each) => each.name).join()")
                            .asString())
                    .contains("/api/settings")
                    .doesNotContain("hush");
            browser.open("about:blank");
            browser.open("http://127.0.0.1:" + guarded.address().getPort() + "/#settings");
            browser.awaitText("Routes");
        }
    }
}
