// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.gateway.store.OpenStore;
import io.semel.jdbc.Dialect;
import io.semel.jdbc.Schema;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the table that a database needs, or makes it. */
@Command(
        name = "schema",
        mixinStandardHelpOptions = true,
        description = "Prints the table that a database store needs.")
final class SchemaCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private final StoreOption store = new StoreOption();

    @Option(
            names = "--dialect",
            defaultValue = "postgresql",
            description = "postgresql, mariadb or h2. Default: postgresql")
    private Dialect dialect = Dialect.POSTGRESQL;

    @Option(names = "--apply", description = "Make it in the database of --store, which does no harm where it exists.")
    private boolean apply;

    @Override
    public Integer call() {
        if (!apply) {
            spec.commandLine().getOut().print(Schema.ddl(dialect));
            spec.commandLine().getOut().flush();
            return 0;
        }
        try (OpenStore open = store.open(true)) {
            spec.commandLine().getOut().println("The table is there: " + open.label() + ".");
        }
        return 0;
    }
}
