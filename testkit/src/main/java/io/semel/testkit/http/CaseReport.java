// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestWatcher;

/** Counts for each case how many of its tests passed and failed, and tells when all of a class have run. */
final class CaseReport implements TestWatcher, AfterAllCallback {

    /** The configuration parameter that names the directory of the reports; empty means none. */
    static final String DIRECTORY = "semel.http-contract.directory";

    private static final Namespace TALLIES = Namespace.create(CaseReport.class);

    @Override
    public void testSuccessful(ExtensionContext context) {
        count(context, tally(context).passed);
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        count(context, tally(context).failed);
    }

    /** Assumed away is not kept. */
    @Override
    public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
        testFailed(context, cause);
    }

    private static void count(ExtensionContext context, AtomicIntegerArray counts) {
        for (int number : Coverage.numbers(context.getRequiredTestMethod())) {
            counts.incrementAndGet(number);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        String directory = context.getConfigurationParameter(DIRECTORY).orElse("target/http-contract");
        if (!directory.isEmpty()) {
            HttpContract contract = CaseRuns.contract(context);
            String name = context.getRequiredTestClass().getSimpleName();
            String report = report(name + " (" + contract.title() + ")", contract.coverage(), tally(context));
            Files.createDirectories(Path.of(directory));
            Files.writeString(Path.of(directory, name + ".txt"), report);
        }
    }

    private static String report(String title, Coverage coverage, Tally tally) {
        StringBuilder report = new StringBuilder(title + "\ncase  passed  failed\n");
        HttpCase.all().forEach(each -> {
            int passed = tally.passed.get(each.number());
            int failed = tally.failed.get(each.number());
            report.append(String.format(
                    Locale.ROOT,
                    "%4d %7d %7d  %-8s %s%n",
                    each.number(),
                    passed,
                    failed,
                    coverage.cell(each),
                    each.sentence()));
            coverage.reasons(each).forEach(reason -> report.append(" ".repeat(31) + "left out: " + reason + "\n"));
        });
        return report.toString();
    }

    private static Tally tally(ExtensionContext context) {
        Class<?> type = context.getRequiredTestClass();
        return context.getRoot().getStore(TALLIES).computeIfAbsent(type, unused -> new Tally(), Tally.class);
    }

    private static final class Tally {

        private static final int ROOM = 100;

        final AtomicIntegerArray passed = new AtomicIntegerArray(ROOM);
        final AtomicIntegerArray failed = new AtomicIntegerArray(ROOM);
    }
}
