// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.gateway.admin.api.AdminApi;
import io.semel.gateway.admin.api.ApiResponse;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Goes through the pages of a sweep and tells how far it is. */
final class SweepRun {

    private final TargetOption desk;
    private final AdminApi at;
    private final PrintWriter out;
    private final Map<String, Long> results = new TreeMap<>();
    private long found;

    SweepRun(TargetOption desk, AdminApi at, PrintWriter out) {
        this.desk = desk;
        this.at = at;
        this.out = out;
    }

    int run(ObjectNode asked) {
        boolean dry = !asked.has("verdict");
        for (int pages = 1; ; pages++) {
            ApiResponse page = at.post("/api/sweep", asked);
            if (!page.isOk()) {
                if (pages > 1) {
                    total(asked, dry);
                }
                return desk.failed(page);
            }
            count(page);
            String next = page.body().path("next").asString("");
            if (next.isEmpty()) {
                total(asked, dry);
                return 0;
            }
            if (!desk.isJson()) {
                out.println("Page " + pages + ": " + found + " keys so far" + told());
                out.flush();
            }
            asked.put("cursor", next);
        }
    }

    private void count(ApiResponse page) {
        found += page.body().path("found").asLong();
        page.body()
                .path("results")
                .properties()
                .forEach(each -> results.merge(each.getKey(), each.getValue().asLong(), Long::sum));
    }

    private void total(ObjectNode asked, boolean dry) {
        if (desk.isJson()) {
            ObjectNode total =
                    JsonMapper.shared().createObjectNode().put("found", found).put("dryRun", dry);
            ObjectNode told = total.putObject("results");
            results.forEach(told::put);
            out.println(total);
            return;
        }
        out.println(found + " " + asked.path("view").asString() + (found == 1 ? " key is" : " keys are")
                + " older than " + asked.path("olderThan").asString() + told()
                + (dry ? ". Nothing was changed; use --release or --resolve to settle them." : "."));
    }

    private String told() {
        return results.isEmpty()
                ? ""
                : results.entrySet().stream()
                        .map(each -> each.getValue() + " " + each.getKey())
                        .collect(Collectors.joining(", ", ": ", ""));
    }

    /** The verdict on all of them. */
    static final class Verdict {

        @Option(names = "--release", required = true, description = "They were not executed: retries run.")
        private boolean release;

        @Option(
                names = "--resolve",
                required = true,
                description = "They were executed: retries get the answer of --status, --body and --content-type.")
        private boolean resolve;

        String name() {
            return release ? "release" : resolve ? "resolve" : "";
        }
    }

    /** The answer of those that happened. */
    static final class AnswerOption {

        @Option(names = "--status", defaultValue = "200", description = "Of the answer. Default: 200")
        private int status;

        @Option(names = "--body", defaultValue = "", description = "Of the answer.")
        private String body = "";

        @Option(
                names = "--content-type",
                defaultValue = "application/json",
                description = "Of the answer. Default: application/json")
        private String type = "";

        @Option(
                names = "--form",
                defaultValue = "",
                description = "Of the answer, where the key does not say it: http, json, utf8 or nothing.")
        private String form = "";

        void check(TargetOption desk) {
            check(desk, status, form);
        }

        static void check(TargetOption desk, int status, String form) {
            desk.check("--status", status, 200, 599);
            if (!form.isEmpty()) {
                desk.check("--form", form, List.of("http", "json", "utf8", "nothing"));
            }
        }

        ObjectNode on(ObjectNode asked) {
            return asked.path("verdict").asString("").equals("resolve")
                    ? asked.put("status", status)
                            .put("body", body)
                            .put("contentType", type)
                            .put("form", form)
                    : asked;
        }
    }
}
