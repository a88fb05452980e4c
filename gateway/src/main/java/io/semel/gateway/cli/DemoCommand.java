// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.examples.storm.RetryStorm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Runs the retry storm, which reads its options itself. */
@Command(name = "demo", description = "A storm of retries, each effect landing once; demo --help tells its options.")
final class DemoCommand implements Callable<Integer> {

    @Unmatched
    private final List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        RetryStorm.main(arguments.toArray(String[]::new));
        return 0;
    }
}
