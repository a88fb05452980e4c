// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws what was measured as columns: a panel for each title, a group for each number of threads, heights as ratios to the first contender. */
final class Plot {

    private static final String[] COLOURS = {"#9aa5b1", "#2563eb", "#0d9488", "#d97706"};
    private static final int WIDTH = 760;
    private static final int PANEL = 270;
    /** Where columns stand, from the top of a panel. */
    private static final int GROUND = 240;

    private static final int COLUMNS = 150;
    private static final int LEFT = 24;

    private final Map<String, Map<Integer, List<Result>>> panels = new LinkedHashMap<>();

    void add(String title, int threads, List<Result> results) {
        panels.computeIfAbsent(title, each -> new LinkedHashMap<>()).put(threads, results);
    }

    void write(Path file) throws IOException {
        Files.writeString(file, svg());
    }

    String svg() {
        StringBuilder svg = new StringBuilder();
        int height = panels.size() * PANEL + 16;
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">%n"
                        + "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#ffffff\"/>%n",
                WIDTH,
                height,
                WIDTH,
                height));
        int y = 0;
        for (Map.Entry<String, Map<Integer, List<Result>>> each : panels.entrySet()) {
            panel(svg, y, each.getKey(), each.getValue());
            y += PANEL;
        }
        return svg.append("</svg>\n").toString();
    }

    private static void panel(StringBuilder svg, int y, String title, Map<Integer, List<Result>> groups) {
        text(svg, LEFT, y + 30, "start", "#111827", "bold", title);
        List<String> names =
                groups.values().iterator().next().stream().map(Result::name).toList();
        for (int i = 0; i < names.size(); i++) {
            int x = LEFT + (i % 2) * (WIDTH / 2);
            int line = y + 50 + (i / 2) * 16;
            rect(svg, x, line - 9, 10, 10, COLOURS[i % COLOURS.length]);
            text(svg, x + 16, line, "start", "#374151", "normal", names.get(i));
        }
        double highest = groups.values().stream()
                .mapToDouble(results -> ratios(results).stream()
                        .mapToDouble(Double::doubleValue)
                        .max()
                        .orElse(1))
                .max()
                .orElse(1);
        int base = y + GROUND;
        int group = (WIDTH - 2 * LEFT) / groups.size();
        int x = LEFT;
        for (Map.Entry<Integer, List<Result>> each : groups.entrySet()) {
            columns(svg, x, base, group, highest, ratios(each.getValue()));
            String label = each.getKey() == 1 ? "1 thread" : each.getKey() + " threads";
            text(svg, x + group / 2, base + 18, "middle", "#374151", "normal", label);
            x += group;
        }
    }

    private static void columns(StringBuilder svg, int x, int base, int group, double highest, List<Double> ratios) {
        int width = Math.min(46, (group - 24) / ratios.size());
        int left = x + (group - width * ratios.size()) / 2;
        for (int i = 0; i < ratios.size(); i++) {
            double ratio = ratios.get(i);
            int height = (int) Math.round(ratio / highest * COLUMNS);
            int at = left + i * width;
            rect(svg, at + 2, base - height, width - 4, height, COLOURS[i % COLOURS.length]);
            String said = String.format(Locale.ROOT, "%.2f", ratio);
            text(svg, at + width / 2, base - height - 4, "middle", "#111827", "normal", said);
        }
    }

    private static List<Double> ratios(List<Result> results) {
        List<Double> ratios = new ArrayList<>();
        for (Result each : results) {
            ratios.add(each.perSecond() / results.get(0).perSecond());
        }
        return ratios;
    }

    private static void rect(StringBuilder svg, int x, int y, int width, int height, String fill) {
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>%n",
                x,
                y,
                width,
                height,
                fill));
    }

    private static void text(StringBuilder svg, int x, int y, String anchor, String fill, String weight, String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\" font-weight=\"%s\">%s</text>%n",
                x,
                y,
                anchor,
                fill,
                weight,
                escaped));
    }
}
