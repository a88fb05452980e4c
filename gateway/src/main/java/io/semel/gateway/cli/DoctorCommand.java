// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.StoreException;
import io.semel.gateway.admin.api.AdminApi;
import io.semel.gateway.admin.api.ApiResponse;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/** Checks store, clock, keys and settings, and says how to correct what is wrong. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = "Checks store, clock and settings, and says how to correct errors.",
        footer = {
            "",
            "Settings, and whether the services in them can be reached, are checked where --config names them.",
            "Exit code 1 after an error; 0 if there are only warnings."
        })
final class DoctorCommand implements Callable<Integer> {

    private static final long MOST_SKEW_MILLIS = 30_000;
    private static final long SLOW_MICROS = 50_000;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private final TargetOption desk = new TargetOption();

    private final ArrayNode findings = JsonMapper.shared().createArrayNode();
    private boolean failed;

    @Override
    public Integer call() {
        Path settings = desk.config();
        if (settings != null) {
            new SettingsCheck(settings, this).run();
        }
        examine();
        PrintWriter out = spec.commandLine().getOut();
        if (desk.isJson()) {
            out.println(findings);
        } else {
            findings.forEach(each -> out.println(String.format(
                    Locale.ROOT,
                    "%-5s %s",
                    each.path("verdict").asString(),
                    each.path("text").asString())));
        }
        return failed ? Semel.FAILED : 0;
    }

    private void examine() {
        try {
            int unused = desk.atAny(this::examine);
        } catch (StoreException | IllegalStateException e) {
            find("FAIL", String.valueOf(e.getMessage()));
        }
    }

    private int examine(AdminApi at) {
        ApiResponse reply = at.get("/api/doctor", Map.of());
        if (!reply.isOk()) {
            find("FAIL", reply.body().path("error").asString("the store cannot be asked"));
            return Semel.FAILED;
        }
        JsonNode body = reply.body();
        find("ok", "The store answers; its level is " + body.path("level").asString() + ".");
        level(body.path("level").asString());
        trip(body.path("roundTripMicros").asLong());
        clock(body.path("clockAheadMillis").asLong());
        keys(body.path("counts"));
        return 0;
    }

    private void level(String level) {
        if (level.equals("BEST_EFFORT")) {
            find(
                    "warn",
                    "At BEST_EFFORT a lost record means a repeat. For money use rocksdb:, postgresql:// or"
                            + " mariadb://.");
        }
    }

    private void trip(long micros) {
        if (micros > SLOW_MICROS) {
            find("warn", "A store round trip takes " + micros / 1000 + " ms, twice per request. Move it closer.");
        } else {
            find("ok", "A store round trip takes " + micros + " µs.");
        }
    }

    private void clock(long ahead) {
        if (Math.abs(ahead) > MOST_SKEW_MILLIS) {
            find(
                    "warn",
                    "The store's clock is " + ahead
                            + " ms ahead of this machine's. Decisions go by the store's; keys that carry their own"
                            + " time are refused if a client's is more than 5 minutes ahead of it. Set the clocks.");
        } else {
            find("ok", "The clocks of the store and this machine agree within " + Math.abs(ahead) + " ms.");
        }
    }

    private void keys(JsonNode counts) {
        long unknown = counts.path("unknown").asLong();
        long lapsed = counts.path("lapsed").asLong();
        find(
                "ok",
                counts.path("settled").asLong() + " answers are kept, "
                        + counts.path("held").asLong() + " requests are under way, about "
                        + counts.path("bytes").asLong() / 1024 + " KiB are used.");
        if (unknown > 0) {
            find(
                    "warn",
                    unknown
                            + " keys have an unknown outcome. See semel keys list --view unknown, then resolve or"
                            + " release them.");
        }
        if (lapsed > 0) {
            find(
                    "warn",
                    lapsed + " keys have a lapsed lease. The next retry meets the route's policy;"
                            + " or see semel keys list --view lapsed.");
        }
    }

    void find(String verdict, String text) {
        failed |= verdict.equals("FAIL");
        findings.add(
                JsonMapper.shared().createObjectNode().put("verdict", verdict).put("text", text));
    }
}
