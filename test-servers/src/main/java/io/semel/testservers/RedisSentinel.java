// SPDX-License-Identifier: Apache-2.0
package io.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A Sentinel that watches one master and its replica, and is quick to replace it. */
public final class RedisSentinel implements AutoCloseable {

    private final ServerProcess process = new ServerProcess("sentinel", "KILL");
    private final int port = Ports.free();
    private final String name;

    private RedisSentinel(String name, RedisServer master) {
        this.name = name;
        try {
            Path configuration = Files.writeString(
                    process.directory().resolve("sentinel.conf"), """
                    port %d
                    bind 127.0.0.1
                    sentinel monitor %3$s 127.0.0.1 %2$d 1
                    sentinel down-after-milliseconds %3$s 500
                    sentinel failover-timeout %3$s 2000
                    """.formatted(port, master.port(), name));
            process.start(
                    List.of(RedisServer.program().toString(), configuration.toString(), "--sentinel"),
                    this::knowsReplica);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One that already knows that the master has a replica. */
    public static RedisSentinel watching(String name, RedisServer master) {
        Await.that(
                "the replica is in touch",
                () -> master.ask("INFO", "replication").contains("state=online"));
        return new RedisSentinel(name, master);
    }

    private boolean knowsReplica() {
        return RedisConnection.ask(port, "SENTINEL", "REPLICAS", name).contains("flags\nslave\n");
    }

    /** Where it listens, on this machine only. */
    public int port() {
        return port;
    }

    @Override
    public void close() {
        process.close();
    }
}
