// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Level;
import io.semel.Operator;
import io.semel.Retention;
import io.semel.Settlement;
import io.semel.Store;
import io.semel.memory.MemoryStore;
import io.semel.observe.KeyHashes;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

class ActuatorTest {

    private static ApplicationContextRunner observed(ApplicationContextRunner app) {
        return app.withConfiguration(AutoConfigurations.of(
                        SemelActuatorAutoConfiguration.class,
                        EndpointAutoConfiguration.class,
                        HealthContributorAutoConfiguration.class,
                        HealthContributorRegistryAutoConfiguration.class,
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        SimpleMetricsExportAutoConfiguration.class,
                        ObservationAutoConfiguration.class))
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

    @Test
    void healthSaysWhichStoreAndWhetherItAnswers() {
        observed(Apps.onH2()).run(context -> {
            HealthIndicator health = context.getBean("semelHealthIndicator", HealthIndicator.class);
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
            assertThat(health.health().getDetails()).containsEntry("level", Level.JOINED);
            context.getBean(com.zaxxer.hikari.HikariDataSource.class).close();
            assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        });
    }

    private static final Call CALL = Call.of(Key.of("pay", "1"), Fingerprint.of("5 EUR"));

    private static void abandon(Store store, String holder) {
        long fence = ((io.semel.Claim.Granted) store.claim(CALL, holder, Duration.ofMinutes(1))).fence();
        store.settle(CALL.key(), holder, fence, new Settlement.Renew(Duration.ZERO));
    }

    @Test
    void anOperatorSeesAKeyWithoutItsAnswerAndDecides() {
        MemoryStore store = new MemoryStore();
        observed(Apps.bare()).withBean("mine", Store.class, () -> store).run(context -> {
            SemelEndpoint endpoint = context.getBean(SemelEndpoint.class);
            assertThat(endpoint.look("pay", "1")).isNull();
            assertThat(endpoint.decide("pay", "1", 1, null, SecurityContext.NONE))
                    .containsEntry("result", Operator.Result.NOT_FOUND);
            abandon(store, "one");
            Map<String, Object> seen = endpoint.look("pay", "1");
            assertThat(seen).containsEntry("state", io.semel.Slot.State.LAPSED).doesNotContainKey("holder");
            long fence = (long) seen.get("fence");
            assertThat(endpoint.decide("pay", "1", fence + 1, null, SecurityContext.NONE))
                    .containsEntry("result", Operator.Result.CHANGED);
            assertThat(endpoint.decide("pay", "1", fence, null, SecurityContext.NONE))
                    .containsEntry("result", Operator.Result.APPLIED);
            assertThat(endpoint.look("pay", "1")).isNull();

            abandon(store, "two");
            fence = (long) endpoint.look("pay", "1").get("fence");
            endpoint.decide("pay", "1", fence, "\"a secret answer\"", SecurityContext.NONE);
            assertThat(endpoint.look("pay", "1").toString())
                    .contains("SETTLED", "bytes")
                    .doesNotContain("secret");
        });
    }

    @Test
    void expiredRecordsArePurgedInTheBackground() {
        observed(Apps.onH2()).run(context -> {
            Store store = context.getBean(Backing.class).leased();
            long fence = ((io.semel.Claim.Granted) store.claim(CALL, "me", Duration.ofMinutes(1))).fence();
            store.settle(
                    CALL.key(),
                    "me",
                    fence,
                    new Settlement.Complete(new byte[] {1, 0}, Retention.of(Duration.ofMillis(1), Duration.ZERO)));
            Purger purger = context.getBean(Purger.class);
            await(() -> purger.purged() > 0);
            assertThat(context.getBean(MeterRegistry.class)
                            .get("semel.purged")
                            .functionCounter()
                            .count())
                    .isPositive();
            context.getBean(com.zaxxer.hikari.HikariDataSource.class).close();
            await(() -> purger.failures() > 1);
            purger.stop();
            assertThat(purger.isRunning()).isFalse();
        });
    }

    @Test
    void purgingCanBeLeftToOthers() {
        observed(Apps.onH2())
                .withPropertyValues("semel.purge.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(Purger.class));
    }
}
