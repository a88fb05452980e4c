// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.demo;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The book of a payments service: a file to which every charge is appended. */
final class Ledger implements AutoCloseable {

    private final Path file;
    private final BufferedWriter writer;
    private final Map<String, String> receipts = new ConcurrentHashMap<>();
    private final LongAdder charges = new LongAdder();

    Ledger(Path file) {
        this.file = file;
        try {
            this.writer = Files.newBufferedWriter(
                    file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    synchronized String charge(String order, long cents) throws IOException {
        charges.increment();
        String receipt = "receipt-" + charges.sum();
        writer.write(order + " " + cents + " " + receipt + "\n");
        writer.flush();
        receipts.putIfAbsent(order, receipt);
        return receipt;
    }

    Optional<String> receipt(String order) {
        return Optional.ofNullable(receipts.get(order));
    }

    long charges() {
        return charges.sum();
    }

    /** Not while a charge is half written, which would look like one too many. */
    synchronized long doubleCharges() {
        return charges.sum() - receipts.size();
    }

    /** How often each order was charged, as the book itself says. */
    Map<String, Long> read() {
        try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
            return lines.collect(
                    Collectors.groupingBy(line -> line.substring(0, line.indexOf(' ')), Collectors.counting()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
