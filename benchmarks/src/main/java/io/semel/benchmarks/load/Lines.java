// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws what was measured over time: a panel with one line for each title, from zero to the highest value. */
final class Lines {

    private static final int WIDTH = 760;
    private static final int PANEL = 170;
    private static final int LEFT = 90;
    private static final int RIGHT = 24;
    private static final int TOP = 44;
    private static final int HEIGHT = 100;

    private final Map<String, double[]> panels = new LinkedHashMap<>();

    void add(String title, double[] values) {
        panels.put(title, values);
    }

    void write(Path file) throws IOException {
        Files.writeString(file, svg());
    }

    String svg() {
        int height = panels.size() * PANEL + 16;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">%n"
                        + "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#ffffff\"/>%n",
                WIDTH,
                height,
                WIDTH,
                height));
        int y = 0;
        for (Map.Entry<String, double[]> each : panels.entrySet()) {
            panel(svg, y, each.getKey(), each.getValue());
            y += PANEL;
        }
        return svg.append("</svg>\n").toString();
    }

    /** Draws a file of comma-separated values, one panel for each column: {@code Lines FILE.csv FILE.svg}. */
    public static void main(String[] args) throws IOException {
        List<String> rows = Files.readAllLines(Path.of(args[0]));
        String[] titles = rows.get(0).split(",", -1);
        Lines lines = new Lines();
        for (int i = 0; i < titles.length; i++) {
            int column = i;
            lines.add(
                    titles[i],
                    rows.stream()
                            .skip(1)
                            .mapToDouble(row -> Double.parseDouble(row.split(",", -1)[column]))
                            .toArray());
        }
        lines.write(Path.of(args[1]));
    }

    private static void panel(StringBuilder svg, int y, String title, double[] values) {
        double highest = 1;
        for (double each : values) {
            highest = Math.max(highest, each);
        }
        int ground = y + TOP + HEIGHT;
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"24\" y=\"%d\" font-weight=\"bold\" fill=\"#111827\">%s</text>%n"
                        + "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#374151\">%,.0f</text>%n"
                        + "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#374151\">0</text>%n"
                        + "<path d=\"M%d %dH%d\" stroke=\"#9aa5b1\"/>%n",
                y + 28,
                title,
                LEFT - 8,
                y + TOP + 6,
                highest,
                LEFT - 8,
                ground + 4,
                LEFT,
                ground,
                WIDTH - RIGHT));
        StringBuilder points = new StringBuilder();
        double step = (double) (WIDTH - LEFT - RIGHT) / Math.max(1, values.length - 1);
        for (int i = 0; i < values.length; i++) {
            points.append(
                    String.format(Locale.ROOT, "%.1f,%.1f ", LEFT + i * step, ground - values[i] / highest * HEIGHT));
        }
        svg.append(String.format(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"#2563eb\" stroke-width=\"2\"/>%n",
                points.toString().trim()));
    }
}
