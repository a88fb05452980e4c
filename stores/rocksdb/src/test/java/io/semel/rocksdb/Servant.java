// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.Claim;
import io.semel.Key;
import io.semel.Retention;
import io.semel.Settlement;
import io.semel.StoreException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A process that does what it is told, line by line: {@code claim ID} or {@code settle ID FENCE}. */
final class Servant {

    public static void main(String[] args) throws IOException {
        BufferedReader told = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (RocksStore store = RocksStore.open(Path.of(args[0]))) {
            System.out.println("ready");
            for (String line = told.readLine(); line != null; line = told.readLine()) {
                System.out.println(obey(store, line.split(" ", -1)));
            }
        }
    }

    private static String obey(RocksStore store, String[] words) {
        Key key = Victim.key(words[1]);
        try {
            return words[0].equals("claim")
                    ? say(store.claim(Victim.call(key), "servant " + words[1], Victim.LEASE))
                    : "" + store.settle(key, "servant " + words[1], Long.parseLong(words[2]), done(key));
        } catch (StoreException e) {
            return (e.changedNothing() ? "refused: " : "unknown: ") + e.getMessage();
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

    private Servant() {}
}
