// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Operator;
import io.semel.Retention;
import io.semel.memory.MemoryStore;
import io.semel.observe.KeyHashes;
import io.semel.spring.internal.actuate.SemelEndpoint;
import io.semel.spring.internal.store.ApplicationStore;
import io.semel.spring.internal.store.PurgeLifecycle;
import io.semel.store.Inspectable;
import io.semel.store.Purger;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

class ActuatorTest {

    private static ApplicationContextRunner observed(ApplicationContextRunner app) {
        return app.withConfiguration(
                        AutoConfigurations.of(SemelActuatorAutoConfiguration.class, EndpointAutoConfiguration.class))
                .withConfiguration(Boot.auto(
                        "HealthContributor",
                        "HealthContributorRegistry|HealthEndpoint",
                        "Metrics",
                        "CompositeMeterRegistry",
                        "SimpleMetricsExport",
                        "Observation"))
                .withPropertyValues(
                        "management.endpoints.jmx.exposure.include=*",
                        "management.endpoints.web.exposure.include=*",
                        "semel.count-every=0s",
                        "semel.purge.interval=10ms");
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
        }
    }

    private static double calls(ApplicationContext context, String outcome) {
        return context.getBean(MeterRegistry.class)
                .get("semel.calls")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    @Test
    void callsAreCountedWithoutFurtherSettings() {
        observed(Apps.onH2()).withBean(Payments.class).run(context -> {
            assertThat(context).hasNotFailed();
            Payments payments = context.getBean(Payments.class);
            payments.pay(new Payments.Order("1", 5));
            payments.pay(new Payments.Order("1", 5));
            assertThat(calls(context, "executed")).isOne();
            assertThat(calls(context, "replayed")).isOne();
            assertThat(context.getBean(MeterRegistry.class)
                            .get("semel.slots")
                            .tag("state", "settled")
                            .gauge()
                            .value())
                    .isOne();
        });
    }

    @Test
    void gaugesOutliveACollection() {
        observed(Apps.onH2()).withBean(Payments.class).run(context -> {
            context.getBean(Payments.class).pay(new Payments.Order("1", 5));
            WeakReference<Object> canary = new WeakReference<>(new Object());
            while (canary.get() != null) {
                System.gc();
            }
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("semel.slots")
                            .tag("state", "settled")
                            .gauge()
                            .value())
                    .isOne();
            assertThat(registry.getMeters())
                    .filteredOn(meter -> meter.getId().getName().startsWith("semel"))
                    .hasSizeGreaterThan(10)
                    .allSatisfy(meter -> meter.measure()
                            .forEach(each -> assertThat(each.getValue()).isNotNaN()));
        });
    }

    @Test
    void theSpanOfACallCarriesTheHashOfItsKey() {
        observed(Apps.onH2()).withBean(Payments.class).run(context -> {
            ObservationRegistry observations = context.getBean(ObservationRegistry.class);
            Observation request = Observation.createNotStarted("request", observations);
            request.observe(() -> context.getBean(Payments.class).pay(new Payments.Order("1", 5)));
            assertThat(request.getContext()
                            .getHighCardinalityKeyValue(KeyHashes.NAME)
                            .getValue())
                    .isEqualTo(KeyHashes.hash(Key.of("pay", "1")));
        });
    }

    private static final Call CALL = Call.of(Key.of("pay", "1"), Fingerprint.of("5 EUR"));

    private static void abandon(Store store, String holder) {
        long fence = ((io.semel.store.Claim.Granted) store.claim(CALL, holder, Duration.ofMinutes(1))).fence();
        store.settle(CALL.key(), holder, fence, new Settlement.Renew(Duration.ZERO));
    }

    @Test
    void anOperatorSeesAKeyWithoutItsAnswerAndDecides() {
        MemoryStore store = new MemoryStore();
        observed(Apps.bare()).withBean("mine", Store.class, () -> store).run(context -> {
            SemelEndpoint endpoint = context.getBean(SemelEndpoint.class);
            assertThat(look(endpoint, "pay", "1")).isNull();
            assertThat(decide(endpoint, 1, null)).containsEntry("result", Operator.Result.NOT_FOUND);
            abandon(store, "one");
            Map<String, Object> seen = look(endpoint, "pay", "1");
            assertThat(seen)
                    .containsEntry("state", io.semel.store.Slot.State.LAPSED)
                    .doesNotContainKey("holder");
            long fence = (long) seen.get("fence");
            assertThat(decide(endpoint, fence + 1, null)).containsEntry("result", Operator.Result.CHANGED);
            assertThat(decide(endpoint, fence, null)).containsEntry("result", Operator.Result.APPLIED);
            assertThat(look(endpoint, "pay", "1")).isNull();

            abandon(store, "two");
            fence = (long) look(endpoint, "pay", "1").get("fence");
            decide(endpoint, fence, "\"a secret answer\"");
            assertThat(look(endpoint, "pay", "1").toString())
                    .contains("SETTLED", "bytes")
                    .doesNotContain("secret");
        });
    }

    private static Map<String, Object> decide(SemelEndpoint endpoint, long fence, String answer) {
        String verdict = answer == null ? "release" : "resolve";
        // No method of this application has the scope, so the key does not tell its form.
        String form = answer == null ? null : "json";
        return endpoint.decide("pay", "1", fence, verdict, answer, null, null, null, form, SecurityContext.NONE);
    }

    private static Map<String, Object> look(SemelEndpoint endpoint, String scope, String id) {
        return endpoint.look(scope, id, null, null, null);
    }

    @Test
    void keysAreFoundWithoutKnowingTheirScope() {
        MemoryStore store = new MemoryStore();
        observed(Apps.bare()).withBean("mine", Store.class, () -> store).run(context -> {
            SemelEndpoint endpoint = context.getBean(SemelEndpoint.class);
            abandon(store, "one");
            Call unknown = Call.of(Key.of("http/anonymous", "2"), Fingerprint.of("x"));
            Begun.Started<String> started =
                    (Begun.Started<String>) Engine.on(store).begin(unknown, Codec.utf8());
            started.hold("the handler answered 500");
            store.claim(Call.of(Key.of("pay", "3"), Fingerprint.of("x")), "busy", Duration.ofMinutes(1));

            assertThat(keys(look(endpoint, null, "2")))
                    .singleElement()
                    .satisfies(key -> assertThat(key)
                            .containsEntry("scope", "http/anonymous")
                            .containsEntry("remaining", "never ends")
                            .containsEntry("unknownBecause", "the handler answered 500"));
            assertThat(look(endpoint, null, "9")).containsEntry("searchedAll", true);
            Map<String, Object> waiting = look(endpoint, null, null);
            assertThat(keys(waiting.get("unknown"))).extracting("id").containsExactly("2");
            assertThat(keys(waiting.get("lapsed"))).extracting("id").containsExactly("1");
            Map<String, Object> first = endpoint.look(null, null, "all", null, 2);
            Map<String, Object> second = endpoint.look(null, null, "all", (String) first.get("next"), 2);
            assertThat(keys(first)).hasSize(2);
            assertThat(keys(second)).hasSize(1);
            assertThat(decide(endpoint, 99, null).get("now"))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry("state", io.semel.store.Slot.State.LAPSED)
                    .containsKey("fence");
            assertThatThrownBy(() -> endpoint.look(null, null, "some", null, null))
                    .isInstanceOf(InvalidEndpointRequestException.class);
        });
    }

    @Test
    void aKeyIsResolvedInTheFormThatItsOwnerReads() throws Exception {
        try (Web web = Web.start(
                WithStore.class,
                Web.WITHOUT_SECURITY + "," + Boot.DATABASE,
                "semel.store=memory",
                "management.endpoints.web.exposure.include=semel")) {
            SemelEndpoint endpoint = web.bean(SemelEndpoint.class);
            Store held = web.bean(Store.class);
            for (String how : new String[] {"lapsed", "unknown"}) {
                String scope = lose(web, how, held);
                long fence = (long) look(endpoint, scope, how).get("fence");
                assertThatThrownBy(() -> endpoint.decide(
                                scope, how, fence, "resolve", "{}", null, null, null, null, SecurityContext.NONE))
                        .isInstanceOf(InvalidEndpointRequestException.class)
                        .hasMessageContaining("belongs to an HTTP request");
                assertThat(endpoint.decide(
                                scope, how, fence, "resolve", null, 201, "text/x", "found", null, SecurityContext.NONE))
                        .containsEntry("result", Operator.Result.APPLIED);
                Got retry = web.post("/count", "{}", how);
                assertThat(retry.status()).isEqualTo(201);
                assertThat(retry.text()).isEqualTo("found");
                assertThat(retry.header("Content-Type")).startsWith("text/x");
                assertThat(retry.replayed()).isTrue();
            }
        }
    }

    /** A request whose outcome nobody knows: taken back to where its process would have died, or held by a rule. */
    private static String lose(Web web, String how, Store store) throws Exception {
        web.post("/count", "{}", how);
        SemelEndpoint endpoint = web.bean(SemelEndpoint.class);
        Map<String, Object> seen = keys(look(endpoint, null, how)).get(0);
        Key key = Key.of((String) seen.get("scope"), how);
        Inspectable slots = (Inspectable) store;
        io.semel.store.Slot slot = slots.look(key).orElseThrow();
        slots.amend(key, slot.result(), new Settlement.Release());
        Engine engine = Engine.on(store);
        Begun<io.semel.http.Answer> begun =
                engine.begin(Call.of(key, slot.fingerprint()), io.semel.http.Answer.codec());
        if (how.equals("unknown")) {
            ((Begun.Started<io.semel.http.Answer>) begun).hold("for a test");
        } else {
            ((Begun.Started<io.semel.http.Answer>) begun).abandon();
        }
        return key.scope();
    }

    static class WithStore extends SessionsTest.App {

        @Bean
        MemoryStore store() {
            return new MemoryStore();
        }
    }

    @Test
    void aMethodsKeyIsResolvedByJsonAlone() {
        MemoryStore store = new MemoryStore();
        observed(Apps.bare())
                .withBean("mine", Store.class, () -> store)
                .withBean(Greeter.class)
                .run(context -> {
                    SemelEndpoint endpoint = context.getBean(SemelEndpoint.class);
                    Greeter greeter = context.getBean(Greeter.class);
                    greeter.greet("1");
                    Key key = Key.of("greet", "1");
                    io.semel.store.Slot slot = store.look(key).orElseThrow();
                    store.amend(key, slot.result(), new Settlement.Release());
                    ((Begun.Started<String>) Engine.on(store).begin(Call.of(key, slot.fingerprint()), Codec.utf8()))
                            .abandon();
                    long fence = (long) look(endpoint, "greet", "1").get("fence");
                    assertThatThrownBy(() -> endpoint.decide(
                                    "greet", "1", fence, "resolve", null, 200, null, "hi", null, SecurityContext.NONE))
                            .hasMessageContaining("belongs to a method");
                    assertThatThrownBy(() -> endpoint.decide(
                                    "greet",
                                    "1",
                                    fence,
                                    "resolve",
                                    "no json",
                                    null,
                                    null,
                                    null,
                                    null,
                                    SecurityContext.NONE))
                            .hasMessageContaining("not JSON");
                    endpoint.decide(
                            "greet", "1", fence, "resolve", "\"found\"", null, null, null, null, SecurityContext.NONE);
                    assertThat(greeter.greet("1")).isEqualTo("found");
                });
    }

    static class Greeter {

        @Idempotent(operation = "greet")
        public String greet(String name) {
            return "hello " + name;
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> keys(Object page) {
        return (List<Map<String, Object>>) ((Map<String, Object>) page).get("keys");
    }

    @Test
    void anEmptyScopeIsTheAskersFault() throws Exception {
        try (Web web = Web.start(
                SessionsTest.App.class,
                Web.WITHOUT_SECURITY + "," + Boot.DATABASE,
                "semel.store=memory",
                "management.endpoints.web.exposure.include=semel")) {
            assertThat(web.send("GET", "/actuator/semel?scope=&id=1", "").status())
                    .isEqualTo(400);
            assertThat(web.send("GET", "/actuator/semel?scope=pay", "").status())
                    .isEqualTo(400);
            Got unknown = web.send("GET", "/actuator/semel?scope=pay&id=1", "");
            assertThat(unknown.status()).as(unknown.text()).isEqualTo(404);
            assertThat(web.send("GET", "/actuator/semel", "").text()).contains("\"unknown\"", "\"lapsed\"");
        }
    }

    @Test
    void expiredRecordsArePurgedInTheBackground() {
        observed(Apps.onH2()).run(context -> {
            Store store = context.getBean(ApplicationStore.class).leased();
            long fence = ((io.semel.store.Claim.Granted) store.claim(CALL, "me", Duration.ofMinutes(1))).fence();
            store.settle(
                    CALL.key(),
                    "me",
                    fence,
                    new Settlement.Complete(new byte[] {1, 0}, Retention.of(Duration.ofMillis(1), Duration.ZERO)));
            Purger purger = context.getBean(PurgeLifecycle.class).purger();
            await(() -> purger.purged() > 0);
            assertThat(context.getBean(MeterRegistry.class)
                            .get("semel.purged")
                            .tag("records", "keys")
                            .functionCounter()
                            .count())
                    .isPositive();
            context.getBean(com.zaxxer.hikari.HikariDataSource.class).close();
            await(() -> purger.failures() > 1);
            context.getBean(PurgeLifecycle.class).stop();
            assertThat(purger.isRunning()).isFalse();
        });
    }

    @Test
    void purgingCanBeLeftToOthers() {
        observed(Apps.onH2())
                .withPropertyValues("semel.purge.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(PurgeLifecycle.class));
    }
}
