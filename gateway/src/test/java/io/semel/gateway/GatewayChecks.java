// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What a gateway holds, for tests in other packages. */
public final class GatewayChecks {

    /** Of bodies and answers. */
    public static long bytes(Gateway gateway) {
        return gateway.held();
    }

    /** Waits until something holds that the gateway brings about by itself, soon after its client has been answered. */
    public static void await(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!holds.getAsBoolean() && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        assertThat(holds.getAsBoolean()).as(what).isTrue();
    }

    private GatewayChecks() {}
}
