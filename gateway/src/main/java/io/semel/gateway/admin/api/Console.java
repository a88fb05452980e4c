// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.api;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.semel.Engine;
import io.semel.Event;
import io.semel.Listener;
import io.semel.Retention;
import io.semel.gateway.Gateway;
import io.semel.gateway.admin.activity.CallRates;
import io.semel.gateway.admin.activity.RecentEvents;
import io.semel.gateway.admin.activity.RecentRequests;
import io.semel.gateway.admin.activity.StoreProbe;
import io.semel.gateway.admin.audit.AuditLog;
import io.semel.gateway.config.AccessLogSettings;
import io.semel.gateway.config.RouteSettings;
import io.semel.gateway.config.SealSettings;
import io.semel.gateway.config.Settings;
import io.semel.gateway.store.OpenStore;
import io.semel.gateway.traffic.Traffic;
import io.semel.gateway.traffic.Traffic.Count;
import io.semel.observe.CallMeters;
import io.semel.observe.LoggingListener;
import io.semel.observe.PurgeMeters;
import io.semel.observe.SessionMeters;
import io.semel.observe.StoreMeters;
import io.semel.session.SessionStore;
import io.semel.store.Inspectable;
import io.semel.store.Purger;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The admin API of a running gateway: status, settings, rates, health and metrics, and a {@link KeyApi} for the rest. */
public final class Console implements Listener, AdminApi {

    private static final Duration FRESH = Duration.ofSeconds(30);
    private static final int MOST_EVENTS = 10_000;
    private static final int MOST_KEYS = 1000;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final CallMeters meters = new CallMeters(registry);
    private final LoggingListener log = new LoggingListener();
    private final RecentEvents recent = new RecentEvents(MOST_EVENTS);
    private final RecentRequests requests = new RecentRequests(MOST_KEYS);
    private final CallRates rates = new CallRates(System::nanoTime);
    private final Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final Instant started = Instant.now();
    private final OpenStore open;
    private final StoreProbe probe;
    private volatile AdminApi desk;
    private volatile @Nullable Gateway gateway;

    public Console(OpenStore open, AuditLog audit) {
        this(open, audit, Retention.DEFAULT);
    }

    /** @param retention of answers that operators give */
    public Console(OpenStore open, AuditLog audit, Retention retention) {
        this(open, Engine.on(open.store()), audit, retention);
    }

    /** @param engine on the open store, with the seal of its answers */
    public Console(OpenStore open, Engine engine, AuditLog audit, Retention retention) {
        this.open = open;
        this.probe = new StoreProbe(open.store());
        this.desk = KeyApi.on(open.store(), engine, audit, this, recent, requests, retention);
        new JvmMemoryMetrics().bindTo(registry);
        if (open.store() instanceof Inspectable inspectable) {
            new StoreMeters(inspectable, FRESH).bindTo(registry);
        }
    }

    /** Adds this gateway. */
    public void watch(Gateway running) {
        gateway = running;
        Traffic traffic = running.traffic();
        traffic.tellRequests(requests::add, requests::end);
        for (Count count : Count.values()) {
            FunctionCounter.builder("semel.gateway.requests", registry, any -> traffic.count(count))
                    .description("Requests and connections, by what the gateway did with them")
                    .tag("kind", count.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        FunctionCounter.builder("semel.gateway.access.dropped", registry, any -> running.accessLinesDropped())
                .description("Access log lines that were dropped")
                .register(registry);
        Gauge.builder("semel.gateway.connections", running::connections)
                .description("Open client connections")
                .register(registry);
        Gauge.builder("semel.gateway.exchanges", traffic::exchanges)
                .description("Requests in progress")
                .register(registry);
    }

    /**
     * Adds these sessions; the listener that is returned has to hear of their requests.
     *
     * @param anonymous the scope of callers without a credential
     * @param cap how many sessions may live
     */
    public Listener watch(SessionStore sessions, String anonymous, int cap) {
        RecentEvents numbers = new RecentEvents(MOST_EVENTS);
        desk = new SessionApi(desk, () -> sessions, anonymous, numbers);
        SessionMeters numbered = new SessionMeters(sessions, cap, FRESH, registry);
        return event -> {
            count(event);
            numbers.on(event);
            numbered.on(event);
        };
    }

    /** Adds the metrics of this purge. */
    public void watch(String records, Purger purger) {
        new PurgeMeters(records, purger).bindTo(registry);
    }

    @Override
    public void on(Event event) {
        count(event);
        probe.on(event);
        recent.on(event);
    }

    private void count(Event event) {
        log.on(event);
        meters.on(event);
        rates.on(event);
        add(outcome(event));
        if (event instanceof Event.Unknown unknown && unknown.ran()) {
            add("unknown");
        }
    }

    private void add(String outcome) {
        outcomes.computeIfAbsent(outcome, any -> new LongAdder()).increment();
    }

    /** The number of calls since the start, by outcome. */
    public Map<String, Long> outcomes() {
        return outcomes.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, each -> each.getValue().sum()));
    }

    private static String outcome(Event event) {
        if (event instanceof Event.WasBusy) {
            return "busy";
        }
        if (event instanceof Event.Unknown) {
            return "held_unknown";
        }
        if (event instanceof Event.GivenUp) {
            return "unknown";
        }
        String name = event instanceof Event.WasRefused refused
                ? refused.reason().name()
                : event.getClass().getSimpleName();
        return name.toLowerCase(Locale.ROOT);
    }

    public String metrics() {
        return registry.scrape();
    }

    /** Ready is a gateway that takes requests and whose store answers. */
    public ApiResponse health() {
        Gateway running = gateway;
        boolean taking = running != null && running.isReady();
        String store = probe.state();
        boolean ready = taking && store.equals("up");
        ObjectNode shown = JsonViews.object();
        shown.put("status", ready ? "up" : "down");
        shown.put("taking", taking);
        shown.put("store", store);
        if (store.equals("up")) {
            put(shown, "lapsed");
            put(shown, "unknown");
        }
        return new ApiResponse(ready ? 200 : 503, shown);
    }

    /** From the metrics, so that health requests do not make the store count each time. */
    private void put(ObjectNode shown, String state) {
        Gauge gauge = registry.find("semel.slots").tag("state", state).gauge();
        double keys = gauge == null ? Double.NaN : gauge.value();
        if (!Double.isNaN(keys)) {
            shown.put(state, (long) keys);
        }
    }

    @Override
    public ApiResponse get(String path, Map<String, String> query) {
        return switch (path) {
            case "/api/status" -> status();
            case "/api/settings" -> settings();
            case "/api/rates" -> ApiResponse.ok(rates.shown(Long.parseLong(query.getOrDefault("after", "-1"))));
            default -> desk.get(path, query);
        };
    }

    @Override
    public ApiResponse post(String path, ObjectNode body) {
        return desk.post(path, body);
    }

    private ApiResponse status() {
        ObjectNode shown = JsonViews.object();
        shown.put("startedAt", started.toString());
        shown.put("store", open.label());
        shown.put("level", open.store().level().name());
        shown.put("promise", open.promise());
        ObjectNode told = shown.putObject("outcomes");
        outcomes().forEach(told::put);
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
        return ApiResponse.ok(shown);
    }

    private ObjectNode sessions(double open) {
        ObjectNode shown = JsonViews.object();
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

    private ApiResponse settings() {
        Gateway running = gateway;
        if (running == null) {
            return ApiResponse.error(503, "The gateway is starting.");
        }
        Settings settings = running.settings();
        ObjectNode shown = JsonViews.object();
        shown.put("listen", settings.listen().host() + ":" + running.address().getPort());
        shown.put("store", open.label());
        shown.put("transport", running.transport());
        shown.put("admin", settings.admin().address().toString());
        shown.put("adminToken", settings.admin().token() != null);
        SealSettings seal = settings.seal();
        shown.put("sealedWith", seal == null ? "" : String.join(", ", seal.ids()));
        shown.put("credentials", String.join(", ", settings.scope().credentials()));
        shown.put("tenantHeader", settings.scope().tenantHeader());
        shown.put("verifiedTokens", settings.scope().jwt() != null);
        shown.set("limits", JsonViews.values(settings.limits()));
        shown.set("quotas", JsonViews.values(settings.quotas()));
        AccessLogSettings log = settings.accessLog();
        shown.put("accessLog", log == null ? "" : log.toString());
        ArrayNode routes = shown.putArray("routes");
        settings.routes().forEach(route -> routes.add(route(route)));
        return ApiResponse.ok(shown);
    }

    private static ObjectNode route(RouteSettings route) {
        ObjectNode shown = JsonViews.object();
        shown.put("name", route.operation().name());
        shown.put("path", route.path().toString());
        shown.put("methods", String.join(",", route.methods()));
        shown.put("upstream", route.upstream().toString());
        shown.put("retention", route.operation().retention().retention().toString());
        shown.put("remembrance", route.operation().retention().remembrance().toString());
        shown.put("lease", route.operation().lease().toString());
        shown.put("waitWhenBusy", route.patience().toString());
        shown.put("whenSilent", route.asksAboutSilence() ? "ask" : route.whenSilent());
        shown.put("failOpen", route.failOpen());
        shown.put("key", route.keyUse());
        shown.put("compare", route.compare());
        shown.put("serverErrors", route.serverErrors());
        return shown;
    }
}
