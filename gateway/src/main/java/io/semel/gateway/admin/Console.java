// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.semel.Event;
import io.semel.Inspectable;
import io.semel.Listener;
import io.semel.gateway.Gateway;
import io.semel.gateway.Traffic;
import io.semel.gateway.Traffic.Count;
import io.semel.gateway.config.RouteSettings;
import io.semel.gateway.config.Settings;
import io.semel.gateway.store.OpenStore;
import io.semel.observe.CallMeters;
import io.semel.observe.SessionMeters;
import io.semel.observe.StoreMeters;
import io.semel.session.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Everything that the admin port of a running gateway can tell, beside single keys. */
public final class Console implements Listener, Desk {

    private static final Duration FRESH = Duration.ofSeconds(5);
    private static final Duration SESSIONS_FRESH = Duration.ofSeconds(30);
    private static final int MOST_EVENTS = 10_000;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final CallMeters meters = new CallMeters(registry);
    private final Recent recent = new Recent(MOST_EVENTS);
    private final Rates rates = new Rates(System::nanoTime);
    private final Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final Instant started = Instant.now();
    private final OpenStore open;
    private volatile Desk desk;
    private volatile @Nullable Gateway gateway;

    public Console(OpenStore open, Audit audit) {
        this.open = open;
        this.desk = KeyDesk.on(open.store(), audit, recent);
        new JvmMemoryMetrics().bindTo(registry);
        if (open.store() instanceof Inspectable inspectable) {
            new StoreMeters(inspectable, FRESH).bindTo(registry);
        }
    }

    /** From now on it tells of this gateway too. */
    public void watch(Gateway running) {
        gateway = running;
        Traffic traffic = running.traffic();
        traffic.tell(this::counted);
        for (Count count : Count.values()) {
            FunctionCounter.builder("semel.gateway.requests", traffic, it -> it.count(count))
                    .tag("kind", count.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        Gauge.builder("semel.gateway.connections", running, Gateway::connections)
                .register(registry);
        Gauge.builder("semel.gateway.exchanges", traffic, Traffic::exchanges).register(registry);
    }

    /**
     * From now on it tells of these sessions too; whoever it returns is to be told what becomes of their requests.
     *
     * @param anonymous the scope of callers who show no credential
     */
    public Listener watch(SessionStore sessions, String anonymous) {
        Recent numbers = new Recent(MOST_EVENTS);
        desk = new SessionDesk(desk, () -> sessions, anonymous, numbers);
        SessionMeters numbered = new SessionMeters(sessions, SESSIONS_FRESH, registry);
        return event -> {
            count(event);
            numbers.on(event);
            numbered.on(event);
        };
    }

    @Override
    public void on(Event event) {
        count(event);
        recent.on(event);
    }

    private void count(Event event) {
        meters.on(event);
        rates.on(event);
        outcomes.computeIfAbsent(outcome(event), any -> new LongAdder()).increment();
    }

    /** An upstream that does not answer leaves its request unknown before the engine hears of it. */
    private void counted(Count count) {
        if (count == Count.SILENT) {
            rates.silent();
            outcomes.computeIfAbsent("unknown", any -> new LongAdder()).increment();
        }
    }

    private static String outcome(Event event) {
        if (event instanceof Event.WasBusy) {
            return "busy";
        }
        if (event instanceof Event.Unknown) {
            return "held_unknown";
        }
        String name = event instanceof Event.WasRefused refused
                ? refused.reason().name()
                : event.getClass().getSimpleName();
        return name.toLowerCase(Locale.ROOT);
    }

    String metrics() {
        return registry.scrape();
    }

    /** Ready is a gateway that takes requests and whose store answers. */
    Reply health() {
        Gateway running = gateway;
        boolean taking = running != null && running.isReady();
        String store = "up";
        try {
            open.store().now();
        } catch (RuntimeException e) {
            store = "down: " + e.getMessage();
        }
        boolean ready = taking && store.equals("up");
        ObjectNode shown = Shown.object();
        shown.put("status", ready ? "up" : "down");
        shown.put("taking", taking);
        shown.put("store", store);
        return new Reply(ready ? 200 : 503, shown);
    }

    @Override
    public Reply get(String path, Map<String, String> query) {
        return switch (path) {
            case "/api/status" -> status();
            case "/api/settings" -> settings();
            case "/api/rates" -> Reply.ok(rates.shown(Long.parseLong(query.getOrDefault("after", "-1"))));
            default -> desk.get(path, query);
        };
    }

    @Override
    public Reply post(String path, ObjectNode body) {
        return desk.post(path, body);
    }

    private Reply status() {
        ObjectNode shown = Shown.object();
        shown.put("startedAt", started.toString());
        shown.put("store", open.label());
        shown.put("level", open.store().level().name());
        shown.put("promise", open.promise());
        ObjectNode told = shown.putObject("outcomes");
        outcomes.forEach((name, count) -> told.put(name, count.sum()));
        Gauge sessions = registry.find("semel.sessions").gauge();
        if (sessions != null) {
            shown.set("sessions", sessions(sessions.value()));
        }
        Gateway running = gateway;
        if (running != null) {
            ObjectNode requests = shown.putObject("requests");
            for (Count count : Count.values()) {
                requests.put(
                        count.name().toLowerCase(Locale.ROOT), running.traffic().count(count));
            }
            shown.put("inFlight", running.traffic().exchanges());
            shown.put("connections", running.connections());
        }
        return Reply.ok(shown);
    }

    private ObjectNode sessions(double open) {
        ObjectNode shown = Shown.object();
        if (!Double.isNaN(open)) {
            shown.put("open", (long) open);
            shown.put("kept", (long) registry.get("semel.session.slots").gauge().value());
        }
        ObjectNode told = shown.putObject("outcomes");
        registry.find("semel.session.requests").counters().forEach(each -> {
            String outcome = String.valueOf(each.getId().getTag("outcome"));
            told.put(outcome, told.path(outcome).asLong(0) + (long) each.count());
        });
        return shown;
    }

    private Reply settings() {
        Gateway running = gateway;
        if (running == null) {
            return Reply.error(503, "The gateway is starting.");
        }
        Settings settings = running.settings();
        ObjectNode shown = Shown.object();
        shown.put("listen", settings.listen().host() + ":" + running.address().getPort());
        shown.put("store", open.label());
        shown.put("transport", running.transport());
        shown.put("admin", settings.admin().toString());
        shown.put("adminToken", settings.adminToken() != null);
        shown.put("credentials", String.join(", ", settings.scope().credentials()));
        shown.put("tenantHeader", settings.scope().tenantHeader());
        shown.put("verifiedTokens", settings.scope().jwt() != null);
        shown.set("limits", Shown.values(settings.limits()));
        ArrayNode routes = shown.putArray("routes");
        settings.routes().forEach(route -> routes.add(route(route)));
        return Reply.ok(shown);
    }

    private static ObjectNode route(RouteSettings route) {
        ObjectNode shown = Shown.object();
        shown.put("name", route.operation().name());
        shown.put("path", route.path().toString());
        shown.put("methods", String.join(",", route.methods()));
        shown.put("upstream", route.upstream().toString());
        shown.put("retention", route.operation().retention().retention().toString());
        shown.put("remembrance", route.operation().retention().remembrance().toString());
        shown.put("lease", route.operation().lease().toString());
        shown.put("waitWhenBusy", route.patience().toString());
        return shown;
    }
}
