// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Dashboard, alerts and documentation name only what a real scrape has. */
class ResourcesTest {

    private static final Pattern METRIC = Pattern.compile("\\b(semel_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(=~|=)\\s*\"([^\"]*)\"");
    private static final Pattern GROUPING = Pattern.compile("by \\(([^)]*)\\)");
    private static final Set<String> DOCUMENTED_OUTCOMES_NOT_PROVOKED = Set.of("settle_failed", "gone", "waited");

    private final String scrape = new Traffic().everything().scrape();

    private static String resource(String name) throws Exception {
        try (InputStream in = CallMeters.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static List<String> dashboardExpressions() throws Exception {
        List<String> expressions = new ArrayList<>();
        JsonNode dashboard = JsonMapper.builder().build().readTree(resource("grafana.json"));
        for (JsonNode panel : dashboard.get("panels")) {
            for (JsonNode target : panel.get("targets")) {
                expressions.add(target.get("expr").asString());
            }
        }
        for (JsonNode variable : dashboard.get("templating").get("list")) {
            expressions.add(variable.get("query").asString());
        }
        return expressions;
    }

    @SuppressWarnings("unchecked") // the shape of the file
    private static List<Map<String, Object>> alerts() throws Exception {
        Map<String, Object> file = new Yaml().load(resource("alerts.yml"));
        List<Map<String, Object>> alerts = new ArrayList<>();
        for (Map<String, Object> group : (List<Map<String, Object>>) file.get("groups")) {
            alerts.addAll((List<Map<String, Object>>) group.get("rules"));
        }
        for (Map<String, Object> alert : alerts) {
            assertThat(alert).containsKeys("alert", "expr", "labels", "annotations");
        }
        return alerts;
    }

    private static List<String> alertExpressions() throws Exception {
        List<String> expressions = new ArrayList<>();
        for (Map<String, Object> alert : alerts()) {
            expressions.add((String) alert.get("expr"));
        }
        return expressions;
    }

    @Test
    void everyExpressionOfTheDashboardIsAnsweredByARealScrape() throws Exception {
        assertThat(dashboardExpressions()).hasSizeGreaterThan(10).allSatisfy(this::isAnswered);
    }

    @Test
    void everyExpressionOfTheAlertsIsAnsweredByARealScrape() throws Exception {
        assertThat(alertExpressions()).hasSize(14).allSatisfy(this::isAnswered);
    }

    @Test
    void everyAlertNamesItsOwnSectionOfTheRunbooks() throws Exception {
        Set<String> sections =
                names(Pattern.compile("(?m)^## (\\w+)$"), Files.readString(Path.of("..", "docs", "runbooks.md")));
        for (Map<String, Object> alert : alerts()) {
            String name = (String) alert.get("alert");
            Map<?, ?> annotations = (Map<?, ?>) alert.get("annotations");
            assertThat(sections).contains(name);
            assertThat((String) annotations.get("runbook"))
                    .isEqualTo("docs/runbooks.md#" + name.toLowerCase(Locale.ROOT));
        }
    }

    private void isAnswered(String expression) {
        Matcher metric = METRIC.matcher(expression);
        while (metric.find()) {
            String name = metric.group(1);
            List<String> samples = scrape.lines()
                    .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                    .toList();
            assertThat(samples).as("samples of %s", name).isNotEmpty();
            Matcher label = LABEL.matcher(metric.group(2) == null ? "" : metric.group(2));
            while (label.find()) {
                hasLabel(samples, label.group(1), label.group(3));
            }
        }
        Matcher grouping = GROUPING.matcher(expression);
        while (grouping.find()) {
            for (String label : grouping.group(1).split(",\\s*", -1)) {
                assertThat(scrape).contains(label + "=\"");
            }
        }
    }

    private static void hasLabel(List<String> samples, String label, String values) {
        for (String value : values.split("\\|", -1)) {
            boolean provoked = !value.startsWith("$") && !DOCUMENTED_OUTCOMES_NOT_PROVOKED.contains(value);
            String wanted = provoked ? label + "=\"" + value + "\"" : label + "=\"";
            assertThat(samples).as("samples with %s", wanted).anyMatch(sample -> sample.contains(wanted));
        }
    }

    @Test
    void theDocumentationNamesEveryMetricAndNoOther() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "metrics.md"));
        Set<String> documented = names(Pattern.compile("`(semel_\\w+)`"), page);
        Set<String> real = names(Pattern.compile("(?m)^# TYPE (semel_\\w+) "), scrape);
        real.removeIf(name -> name.endsWith("_max"));
        assertThat(documented).containsExactlyInAnyOrderElementsOf(real);
        for (String outcome : names(Pattern.compile("outcome=\"(\\w+)\""), scrape)) {
            assertThat(page).contains("`" + outcome + "`");
        }
    }

    private static Set<String> names(Pattern pattern, String text) {
        Set<String> names = new TreeSet<>();
        Matcher found = pattern.matcher(text);
        while (found.find()) {
            names.add(found.group(1));
        }
        return names;
    }
}
