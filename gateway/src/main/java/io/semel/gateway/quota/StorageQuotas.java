// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.quota;

import io.netty.handler.codec.http.HttpHeaders;
import io.semel.gateway.budget.AddressShares;
import io.semel.gateway.config.QuotaSettings;
import io.semel.gateway.config.Settings;
import io.semel.gateway.http.ClientAddresses;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Quotas of keys and bytes in the store, for callers and for client addresses. */
public final class StorageQuotas {

    private final @Nullable WindowQuota callers;
    private final @Nullable WindowQuota addresses;
    private final ClientAddresses origins;

    public StorageQuotas(Settings settings) {
        QuotaSettings quotas = settings.quotas();
        this.callers = quota(quotas.callerKeys(), quotas.callerBytes(), quotas.window());
        this.addresses = quota(quotas.addressKeys(), quotas.addressBytes(), quotas.window());
        this.origins = new ClientAddresses(settings.trustedProxies());
    }

    private static @Nullable WindowQuota quota(long keys, long bytes, Duration window) {
        return keys == 0 && bytes == 0 ? null : new WindowQuota(keys, bytes, window, System::nanoTime);
    }

    public boolean areOff() {
        return callers == null && addresses == null;
    }

    /**
     * Room for one more key.
     *
     * @throws UsedUp if there is none
     */
    public Room take(Supplier<String> scope, HttpHeaders headers, SocketAddress peer) {
        Room room = new Room(new ArrayList<>(2));
        if (callers != null) {
            room.add(callers, scope.get(), "caller");
        }
        InetAddress address = origins.of(headers, peer);
        if (addresses != null && address != null) {
            room.add(addresses, AddressShares.network(address).getHostAddress(), "address");
        }
        return room;
    }

    /** The room of one key in all its quotas. */
    public record Room(List<WindowQuota.Room> parts) {

        public static final Room NONE = new Room(List.of());

        private void add(WindowQuota quota, String name, String whose) {
            WindowQuota.Room part = quota.take(name);
            if (part == null) {
                back();
                throw new UsedUp(quota.left(), whose);
            }
            parts.add(part);
        }

        /** Nothing of it stays in the store. */
        public void back() {
            parts.forEach(WindowQuota.Room::back);
        }

        /** An answer of so many bytes stays there. */
        public void keep(long bytes) {
            parts.forEach(part -> part.add(bytes));
        }
    }

    /** A quota has no room for one more key; without a stack trace, because clients decide how often it happens. */
    public static final class UsedUp extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Duration left;
        private final String whose;

        private UsedUp(Duration left, String whose) {
            super("The quota is used up.", null, false, false);
            this.left = left;
            this.whose = whose;
        }

        /** One of caller and address. */
        public String whose() {
            return whose;
        }

        /** Until there is some again. */
        public Duration left() {
            return left;
        }
    }
}
