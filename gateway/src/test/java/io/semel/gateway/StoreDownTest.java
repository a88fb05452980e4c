// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.gateway.traffic.Traffic;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StoreDownTest {

    /** A memory store whose line can be cut. */
    private static final class Cuttable implements Store {

        private final MemoryStore store = new MemoryStore();
        volatile boolean cutBeforeClaims;
        volatile boolean failClaims;
        volatile boolean cutBeforeSettles;

        @Override
        public Level level() {
            return store.level();
        }

        @Override
        public Instant now() {
            return store.now();
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            if (cutBeforeClaims) {
                throw StoreException.unreachable("The line is cut.", null);
            }
            if (failClaims) {
                throw new StoreException("This claim was the victim of a deadlock.", null);
            }
            return store.claim(call, holder, lease);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            if (cutBeforeSettles) {
                throw new StoreException("The line is cut.", null);
            }
            return store.settle(key, holder, fence, settlement);
        }

        @Override
        public Optional<Claim> peek(Key key) {
            return store.peek(key);
        }
    }

    @Test
    void aRouteThatFailsOpenDoesNotOpenForAStoreThatIsThereAndFails() {
        Cuttable store = new Cuttable();
        try (GatewayFixture rig = new GatewayFixture("routes: [{path: /payments, failOpen: true}]", store)) {
            store.failClaims = true;

            HttpResponse<String> refused = rig.pay("a");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(rig.origin.effects()).isZero();
            assertThat(rig.gateway.traffic().count(Traffic.Count.UNPROTECTED)).isZero();
        }
    }

    @Test
    void aRouteThatFailsOpenRunsUnprotectedAndCountsIt() {
        Cuttable store = new Cuttable();
        try (GatewayFixture rig = new GatewayFixture("routes: [{path: /payments, failOpen: true}]", store)) {
            store.cutBeforeClaims = true;

            assertThat(rig.pay("a").body()).isEqualTo("effect 1");
            assertThat(rig.pay("a").body()).isEqualTo("effect 2");
            assertThat(rig.gateway.traffic().count(Traffic.Count.UNPROTECTED)).isEqualTo(2);
        }
    }

    @Test
    void anAnswerThatIsNotRecordedIsNotSent() {
        Cuttable store = new Cuttable();
        try (GatewayFixture rig = new GatewayFixture("lease: 200ms", store)) {
            store.cutBeforeSettles = true;
            HttpResponse<String> first = rig.pay("a");
            store.cutBeforeSettles = false;

            assertThat(first.statusCode()).isEqualTo(409);
            assertThat(first.body()).contains("outcome-unknown").doesNotContain("effect");
            HttpResponse<String> retry = rig.pay("a");
            while (retry.body().contains("in-progress")) {
                retry = rig.pay("a");
            }
            assertThat(retry.body()).contains("outcome-unknown");
            assertThat(rig.origin.effects()).isEqualTo(1);
        }
    }
}
