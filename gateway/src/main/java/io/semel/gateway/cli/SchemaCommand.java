// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.gateway.store.StoreUrl;
import io.semel.jdbc.Dialect;
import io.semel.jdbc.Schema;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the tables that a database needs, or makes them. */
@Command(
        name = "schema",
        mixinStandardHelpOptions = true,
        description = "Prints the table that a database store needs.",
        footer = {"", "The statements, and --apply, can be run repeatedly."})
final class SchemaCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private final StoreOption store = new StoreOption();

    @Option(
            names = "--dialect",
            defaultValue = "postgresql",
            description = "postgresql, mariadb or h2, to print for. Default: postgresql")
    private Dialect dialect = Dialect.POSTGRESQL;

    @Option(names = "--sessions", description = "Include the tables of sessions.")
    private boolean sessions;

    @Option(names = "--producers", description = "Include the tables of producers.")
    private boolean producers;

    @Option(names = "--apply", description = "Create them in the database of --store.")
    private boolean apply;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (apply) {
            String label = StoreUrl.createTables(store.urls(), sessions, producers);
            out.println("The tables " + what() + " are there: " + label + ".");
        } else {
            out.print(Schema.ddl(dialect));
            out.print(sessions ? "\n" + Schema.sessionsDdl(dialect) : "");
            out.print(producers ? "\n" + Schema.producersDdl(dialect) : "");
            out.flush();
        }
        return 0;
    }

    private String what() {
        return "of keys" + (sessions ? ", of sessions" : "") + (producers ? ", of producers" : "");
    }
}
