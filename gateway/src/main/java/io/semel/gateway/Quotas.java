// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.channel.Channel;
import io.semel.gateway.callers.Peer;
import io.semel.gateway.config.QuotaSettings;
import io.semel.gateway.config.Settings;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How much of the store callers, and the addresses that they come from, may fill. Behind trusted proxies it is the address that they name. */
final class Quotas {

    private final @Nullable Quota callers;
    private final @Nullable Quota addresses;
    private final String namespace;
    private final Origins origins;

    Quotas(Settings settings) {
        QuotaSettings quotas = settings.quotas();
        this.callers = quota(quotas.callerKeys(), quotas.callerBytes(), quotas.window());
        this.addresses = quota(quotas.addressKeys(), quotas.addressBytes(), quotas.window());
        this.namespace = settings.namespace();
        this.origins = new Origins(settings.trustedProxies());
    }

    private static @Nullable Quota quota(long keys, long bytes, Duration window) {
        return keys == 0 && bytes == 0 ? null : new Quota(keys, bytes, window, System::nanoTime);
    }

    boolean areOff() {
        return callers == null && addresses == null;
    }

    /**
     * Room for one more key.
     *
     * @throws UsedUp if there is none
     */
    Room take(RequestHead head, Channel client) {
        Room room = new Room(new ArrayList<>(2));
        if (callers != null) {
            room.add(callers, head.caller().scope(namespace), "caller");
        }
        InetAddress address = origins.of(head.request().headers(), Peer.address(client));
        if (addresses != null && address != null) {
            room.add(addresses, Shares.network(address).getHostAddress(), "address");
        }
        return room;
    }

    /** What one key takes of the quotas that it counts for. */
    record Room(List<Quota.Room> parts) {

        static final Room NONE = new Room(List.of());

        private void add(Quota quota, String name, String whose) {
            Quota.Room part = quota.take(name);
            if (part == null) {
                back();
                throw new UsedUp(quota.left(), whose);
            }
            parts.add(part);
        }

        /** Nothing of it stays in the store. */
        void back() {
            parts.forEach(Quota.Room::back);
        }

        /** An answer of so many bytes stays there. */
        void keep(long bytes) {
            parts.forEach(part -> part.add(bytes));
        }
    }

    /** There is no room for one more key; without a stack trace, because clients decide how often it happens. */
    static final class UsedUp extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Duration left;
        private final String whose;

        private UsedUp(Duration left, String whose) {
            super("The quota is used up.", null, false, false);
            this.left = left;
            this.whose = whose;
        }

        /** One of caller and address. */
        String whose() {
            return whose;
        }

        /** Until there is some again. */
        Duration left() {
            return left;
        }
    }
}
