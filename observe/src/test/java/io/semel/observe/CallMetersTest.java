// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.semel.Begun;
import io.semel.Codec;
import io.semel.Event;
import io.semel.Key;
import io.semel.Operation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CallMetersTest {

    private final Traffic traffic = new Traffic();

    private static String calls(String outcome, int count) {
        return "semel_calls_total{operation=\"pay\",outcome=\"" + outcome + "\"} " + count + ".0";
    }

    @Test
    void aDuplicateThatWaitedIsNoPlainReplay() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        CallMeters meters = new CallMeters(registry);
        meters.on(new Event.Replayed("pay", Key.of("payments", "1"), Duration.ofMillis(9), Duration.ofMillis(8)));
        meters.on(new Event.Replayed("pay", Key.of("payments", "1"), Duration.ofMillis(1)));
        assertThat(registry.scrape())
                .contains("semel_calls_total{operation=\"pay\",outcome=\"waited\"} 1.0")
                .contains("semel_calls_total{operation=\"pay\",outcome=\"replayed\"} 1.0");
    }

    @Test
    void whatWasGivenUpIsUnknownBeforeAnyRetry() {
        Begun<String> begun = traffic.engine(Operation.named("pay")).begin(Traffic.call("given-up"), Codec.utf8());
        ((Begun.Started<String>) begun).abandon();

        assertThat(traffic.scrape()).contains(calls("unknown", 1)).contains("semel_slots{state=\"lapsed\"} 1.0");
    }

    @Test
    void whatWasHeldIsUnknownBeforeAnyRetry() {
        Begun<String> begun = traffic.engine(Operation.named("pay")).begin(Traffic.call("held"), Codec.utf8());
        ((Begun.Started<String>) begun).hold("the handler answered 500");

        assertThat(traffic.scrape())
                .contains(calls("unknown", 1))
                .contains("semel_incidents_total{kind=\"held_unknown\",operation=\"pay\"} 1.0");
    }

    @Test
    void everyOutcomeIsCountedUnderItsName() {
        assertThat(traffic.everything().scrape())
                .contains(calls("executed", 2))
                .contains(calls("replayed", 1))
                .contains(calls("rejected", 1))
                .contains(calls("released", 1))
                .contains(calls("mismatch", 1))
                .contains(calls("busy", 1))
                .contains(calls("not_retained", 1))
                .contains(calls("unknown", 1))
                .contains(calls("lease_lost", 1))
                .contains(calls("claim_failed", 1));
    }

    @Test
    void incidentsAndOperatorsAreCounted() {
        assertThat(traffic.everything().scrape())
                .contains("semel_incidents_total{kind=\"abandoned\",operation=\"pay\"} 1.0")
                .contains("semel_incidents_total{kind=\"held_unknown\",operation=\"pay\"} 1.0")
                .contains("semel_incidents_total{kind=\"answer_not_kept\",operation=\"pay\"} 1.0")
                .contains("semel_operated_total{act=\"released\",operation=\"pay\"} 1.0");
    }

    @Test
    void claimWorkAndSettleAreTimed() {
        assertThat(traffic.executed("1").scrape())
                .contains("semel_claim_seconds_count{operation=\"pay\",outcome=\"executed\"} 1")
                .contains("semel_work_seconds_count{operation=\"pay\",outcome=\"executed\"} 1")
                .contains("semel_settle_seconds_count{operation=\"pay\",outcome=\"executed\"} 1")
                .contains("semel_claim_seconds_bucket{operation=\"pay\",outcome=\"executed\",le=\"0.1\"} 1");
    }

    @Test
    void noMeterCarriesAKey() {
        assertThat(traffic.executed("a-very-special-key").scrape())
                .doesNotContain("a-very-special-key")
                .doesNotContain("payments");
    }
}
