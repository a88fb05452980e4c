// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.raft;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.util.TimeDuration;

/** One of the servers of the tally: its number, its directory, and the ports of all servers. */
public final class TallyServer {

    /** Small, so that a run of some seconds already has snapshots to recover from. */
    private static final int ENTRIES_BETWEEN_SNAPSHOTS = 200;

    private static final RaftGroupId GROUP = RaftGroupId.valueOf(new UUID(0x7A11L, 1));

    /** Ends only when Ratis closes the server by itself, as it does after a fault; whoever supervises it starts it again. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int number = Integer.parseInt(args[0]);
        int[] ports = Arrays.stream(args).skip(2).mapToInt(Integer::parseInt).toArray();
        CountDownLatch closed = new CountDownLatch(1);
        TallyMachine machine = new TallyMachine(leader -> System.out.println("leader " + leader), closed::countDown);
        try (RaftServer server = RaftServer.newBuilder()
                .setServerId(id(number))
                .setGroup(group(ports))
                .setProperties(properties(new File(args[1]), ports[number]))
                .setStateMachine(machine)
                .setOption(RaftStorage.StartupOption.RECOVER)
                .build()) {
            server.start();
            System.out.println("ready");
            closed.await();
        }
        System.err.println("s" + number + " has closed itself.");
        System.exit(1);
    }

    static RaftGroup group(int... ports) {
        List<RaftPeer> peers = java.util.stream.IntStream.range(0, ports.length)
                .mapToObj(i -> RaftPeer.newBuilder()
                        .setId(id(i))
                        .setAddress("127.0.0.1:" + ports[i])
                        .build())
                .toList();
        return RaftGroup.valueOf(GROUP, peers);
    }

    static RaftPeerId id(int number) {
        return RaftPeerId.valueOf("s" + number);
    }

    private static RaftProperties properties(File directory, int port) {
        RaftProperties properties = new RaftProperties();
        RaftServerConfigKeys.setStorageDir(properties, List.of(directory));
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, ENTRIES_BETWEEN_SNAPSHOTS);
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, TimeDuration.valueOf(1000, TimeUnit.MILLISECONDS));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, TimeDuration.valueOf(2000, TimeUnit.MILLISECONDS));
        // With more of them a leader under load can talk past a follower that has lost its place in the log, for good.
        GrpcConfigKeys.Server.setLeaderOutstandingAppendsMax(properties, 1);
        GrpcConfigKeys.Server.setPort(properties, port);
        return properties;
    }

    private TallyServer() {}
}
