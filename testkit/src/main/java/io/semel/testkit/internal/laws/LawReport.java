// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import io.semel.Level;
import io.semel.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.commons.support.AnnotationSupport;

/** Counts for each law how many of its tests passed and failed, and tells when all of a class have run. */
public final class LawReport implements BeforeEachCallback, TestWatcher, AfterAllCallback {

    /** The configuration parameter that names the directory of the reports; empty means none. */
    public static final String DIRECTORY = "semel.laws.directory";

    private static final Namespace TALLIES = Namespace.create(LawReport.class);

    /** Once per class; before all tests the backend might not have been started, and after them it might be gone. */
    @Override
    public void beforeEach(ExtensionContext context) {
        Tally tally = tally(context);
        if (tally.isOfNothing()) {
            try (Bench bench = new Bench(((Backend.Owner) context.getRequiredTestInstance()).backend())) {
                tally.of(describe(bench.store()), bench.store().level().gives(Level.LEASED));
            }
        }
    }

    private static String describe(Store store) {
        Stream<String> capabilities = Capabilities.of(store).stream().map(Class::getSimpleName);
        return Stream.concat(
                        Stream.of(
                                store.getClass().getSimpleName(), store.level().name()),
                        capabilities)
                .collect(Collectors.joining(", "));
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        laws(context).forEach(tally(context)::passed);
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        laws(context).forEach(tally(context)::failed);
    }

    /** Assumed away is not kept. */
    @Override
    public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
        testFailed(context, cause);
    }

    private static Stream<StoreLaw> laws(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), Law.class).stream()
                .flatMap(law -> Arrays.stream(law.value()))
                .map(StoreLaw::valueOf);
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        String directory = context.getConfigurationParameter(DIRECTORY).orElse("target/laws");
        if (!directory.isEmpty()) {
            String name = context.getRequiredTestClass().getSimpleName();
            String report = tally(context).report(name);
            Files.createDirectories(Path.of(directory));
            Files.writeString(Path.of(directory, name + ".txt"), report);
            System.out.print(report);
        }
    }

    private static Tally tally(ExtensionContext context) {
        Class<?> type = context.getRequiredTestClass();
        return context.getRoot().getStore(TALLIES).computeIfAbsent(type, unused -> new Tally(), Tally.class);
    }
}
