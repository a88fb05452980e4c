// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.Key;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A process that does what it is told, line by line: {@code claim ID}, {@code settle ID FENCE}, {@code close} the store or
 * {@code open} it again, {@code fill} the disk that it is on or {@code drain} it again; or asked whether a file {@code exists}.
 */
final class Servant {

    private static final int CHUNK = 1 << 16;

    private final Path directory;
    private final Path filling;
    private RocksStore store;

    private Servant(Path directory) {
        this.directory = directory;
        this.filling = directory.resolveSibling("filling");
        this.store = RocksStore.open(directory);
    }

    public static void main(String[] args) throws IOException {
        BufferedReader told = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Servant servant = new Servant(Path.of(args[0]));
        System.out.println("ready");
        for (String line = told.readLine(); line != null; line = told.readLine()) {
            System.out.println(servant.obey(line.split(" ", -1)));
        }
    }

    private String obey(String[] words) throws IOException {
        try {
            return switch (words[0]) {
                case "claim" -> say(store.claim(Victim.call(key(words)), "servant " + words[1], Victim.LEASE));
                case "settle" ->
                    "" + store.settle(key(words), "servant " + words[1], Long.parseLong(words[2]), done(key(words)));
                case "close" -> close();
                case "open" -> open();
                case "fill" -> fill();
                case "exists" -> "" + Files.exists(directory.resolve(words[1]));
                case "drain" -> "" + Files.deleteIfExists(filling);
                default -> throw new IllegalArgumentException(words[0]);
            };
        } catch (StoreException e) {
            return (e.changedNothing() ? "refused: " : "unknown: ") + e.getMessage();
        }
    }

    private static Key key(String[] words) {
        return Victim.key(words[1]);
    }

    private String close() {
        store.close();
        return "closed";
    }

    private String open() {
        store = RocksStore.open(directory);
        return "ready";
    }

    /** To the last byte: first in large pieces, then in small ones. */
    private String fill() throws IOException {
        String reason = "";
        try (FileChannel file = FileChannel.open(filling, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int bytes = CHUNK; bytes > 0; bytes /= 2) {
                reason = fill(file, bytes);
            }
        }
        return reason;
    }

    private static String fill(FileChannel file, int bytes) {
        try {
            while (true) {
                file.write(ByteBuffer.allocate(bytes));
            }
        } catch (IOException full) {
            return String.valueOf(full.getMessage());
        }
    }

    private static Settlement done(Key key) {
        return new Settlement.Complete(Victim.result(key), Retention.DEFAULT);
    }

    private static String say(Claim claim) {
        if (claim instanceof Claim.Granted granted) {
            return "granted " + granted.fence();
        }
        return claim instanceof Claim.Held ? "held" : "settled";
    }
}
