// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.StoreException;
import io.semel.UnreadableAnswer;
import io.semel.gateway.config.yaml.ConfigError;
import io.semel.gateway.net.OutOfMemory;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program: {@code ./semel COMMAND …}. */
@Command(
        name = "semel",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Makes retries safe: every effect lands once, every retry gets the first answer.",
        subcommands = {
            GatewayCommand.class,
            KeysCommand.class,
            SessionsCommand.class,
            SchemaCommand.class,
            DoctorCommand.class,
            DemoCommand.class
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "1:failure; one sentence on standard error says why",
            "2:invalid options or settings",
            "3:key or session not found"
        })
public final class Semel implements Runnable {

    static final int FAILED = 1;
    static final int WRONG = 2;
    static final int NOT_FOUND = 3;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    public static void main(String[] args) {
        LogSetup.quiet();
        OutOfMemory.endsTheProcess();
        // Netty follows every hundredth buffer otherwise, to find those that are never given back; tests do.
        preset("io.netty.leakDetection.level", "disabled");
        // The demo's service waits for more to send otherwise.
        preset("sun.net.httpserver.nodelay", "true");
        int code = run(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                args);
        System.exit(code);
    }

    private static void preset(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }

    static int run(PrintWriter out, PrintWriter err, String... args) {
        CommandLine line = new CommandLine(new Semel());
        line.setOut(out);
        line.setErr(err);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler((e, given) -> misused(e));
        line.setExecutionExceptionHandler((e, command, parsed) -> failed(e, command));
        return line.execute(args);
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private static int misused(ParameterException e) {
        CommandLine command = e.getCommandLine();
        command.getErr()
                .println("semel: " + sentence(e) + " Try "
                        + command.getCommandSpec().qualifiedName() + " --help.");
        return WRONG;
    }

    /** Expected failures are printed as a sentence, bugs with their stack trace. */
    private static int failed(Exception e, CommandLine command) {
        boolean expected = e instanceof ConfigError
                || e instanceof StoreException
                || e instanceof UnreadableAnswer
                || e instanceof UncheckedIOException
                || e instanceof IllegalArgumentException
                || e instanceof IllegalStateException
                || e instanceof UnsupportedOperationException;
        command.getErr().println("semel: " + (e instanceof ConfigError ? e.getMessage() : sentence(e)));
        if (!expected) {
            e.printStackTrace(command.getErr());
        }
        return e instanceof ConfigError ? WRONG : FAILED;
    }

    private static String sentence(Exception e) {
        String message =
                String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ").strip();
        return message.endsWith(".") || message.endsWith("?") ? message : message + ".";
    }
}
