// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A page with a table of cases, a column for each door, and below it the reasons of what doors leave out. The system property
 * {@code semel.http-contract.table=write} has a column written anew in place of compared.
 */
final class CoverageTable {

    private static final String HEAD = "| case | ";
    private static final String REASONS = "## Left out";

    private final Path page;

    CoverageTable(Path page) {
        this.page = page;
    }

    void check(String title, Coverage coverage) throws IOException {
        List<String> lines = Files.readAllLines(page);
        List<String> right = with(lines, title, coverage);
        if ("write".equals(System.getProperty("semel.http-contract.table"))) {
            Files.write(page, right);
        } else {
            assertEquals(
                    String.join("\n", right),
                    String.join("\n", lines),
                    () -> page + " is not up to date; run this test with -Dsemel.http-contract.table=write");
        }
    }

    static List<String> with(List<String> lines, String title, Coverage coverage) {
        int head = head(lines);
        int column = titles(lines.get(head)).indexOf(title);
        if (column < 0) {
            throw new IllegalArgumentException("The table of cases has no column '" + title + "'.");
        }
        List<String> right = new ArrayList<>(lines);
        right.subList(head + 2, end(lines, head)).clear();
        right.addAll(
                head + 2,
                HttpCase.all()
                        .map(each -> row(each, lines, head, column, coverage))
                        .toList());
        right.removeIf(line -> line.startsWith(reason(title)));
        int place = reasons(right, titles(lines.get(head)).subList(0, column));
        right.addAll(
                place,
                coverage.reasons().stream().map(each -> reason(title) + each).toList());
        return right;
    }

    private static List<String> titles(String head) {
        return Arrays.stream(head.split("\\|")).map(String::strip).toList();
    }

    private static String reason(String title) {
        return "- **" + title + "** ";
    }

    /** Behind the reasons of the columns before. */
    private static int reasons(List<String> lines, List<String> before) {
        int place = lines.indexOf(REASONS) + 2;
        while (place < lines.size() && startsWithReason(lines.get(place), before)) {
            place++;
        }
        return place;
    }

    private static boolean startsWithReason(String line, List<String> titles) {
        return titles.stream().anyMatch(title -> line.startsWith(reason(title)));
    }

    private static int head(List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(HEAD)) {
                return i;
            }
        }
        throw new IllegalArgumentException("The page has no table that begins with '" + HEAD + "'.");
    }

    private static int end(List<String> lines, int head) {
        int end = head + 2;
        while (end < lines.size() && lines.get(end).startsWith("|")) {
            end++;
        }
        return end;
    }

    /** The other columns stay as they are. */
    private static String row(HttpCase of, List<String> lines, int head, int column, Coverage coverage) {
        String[] old = lines.subList(head + 2, end(lines, head)).stream()
                .filter(line -> line.startsWith("| " + of.number() + " |"))
                .map(line -> line.split("\\|"))
                .findFirst()
                .orElseGet(() -> Stream.generate(() -> "")
                        .limit(lines.get(head).split("\\|").length)
                        .toArray(String[]::new));
        List<String> cells = new ArrayList<>(Arrays.asList(old));
        cells.set(1, Integer.toString(of.number()));
        cells.set(2, of.sentence());
        cells.set(column, coverage.cell(of));
        return cells.stream().skip(1).map(String::strip).collect(Collectors.joining(" | ", "| ", " |"));
    }
}
