// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.raft;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.AtomicFileOutputStream;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;

/** The {@link Tally} as a state machine of Apache Ratis. */
final class TallyMachine extends BaseStateMachine {

    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
    private final Tally tally = new Tally();
    private final Consumer<String> leader;
    private final Runnable closed;

    /**
     * A state machine.
     *
     * @param leader told who leads whenever that changes
     * @param closed told when Ratis has closed the server
     */
    TallyMachine(Consumer<String> leader, Runnable closed) {
        this.leader = leader;
        this.closed = closed;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage place) throws IOException {
        super.initialize(server, group, place);
        storage.init(place);
        reinitialize();
    }

    @Override
    public void reinitialize() throws IOException {
        restore(storage.loadLatestSnapshot());
    }

    private synchronized void restore(@Nullable SingleFileSnapshotInfo snapshot) throws IOException {
        if (snapshot != null) {
            tally.restore(Files.readAllBytes(snapshot.getFile().getPath()));
            setLastAppliedTermIndex(snapshot.getTermIndex());
        }
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return storage;
    }

    /** Only the leader does this: its time goes into the log with the command, for all replicas. */
    @Override
    public TransactionContext startTransaction(RaftClientRequest request) {
        ByteString time = ByteString.copyFrom(ByteBuffer.allocate(Long.BYTES)
                .putLong(System.currentTimeMillis() * 1_000_000)
                .flip());
        return TransactionContext.newBuilder()
                .setStateMachine(this)
                .setClientRequest(request)
                .setLogData(time.concat(request.getMessage().getContent()))
                .build();
    }

    @Override
    public synchronized CompletableFuture<Message> applyTransaction(TransactionContext entry) {
        ByteString data = entry.getStateMachineLogEntry().getLogData();
        long time = data.asReadOnlyByteBuffer().getLong();
        String answer = tally.apply(time, data.substring(Long.BYTES).toString(StandardCharsets.UTF_8));
        updateLastAppliedTermIndex(
                entry.getLogEntry().getTerm(), entry.getLogEntry().getIndex());
        return CompletableFuture.completedFuture(Message.valueOf(answer));
    }

    /** The count. */
    @Override
    public synchronized CompletableFuture<Message> query(Message request) {
        return CompletableFuture.completedFuture(Message.valueOf(Long.toString(tally.count())));
    }

    /** A digest of the whole state, sessions included, to be compared between replicas. */
    @Override
    public synchronized CompletableFuture<Message> queryStale(Message request, long minIndex) {
        return CompletableFuture.completedFuture(
                Message.valueOf(tally.count() + " " + Arrays.hashCode(tally.snapshot())));
    }

    @Override
    public synchronized long takeSnapshot() throws IOException {
        TermIndex last = getLastAppliedTermIndex();
        File file = storage.getSnapshotFile(last.getTerm(), last.getIndex());
        try (AtomicFileOutputStream out = new AtomicFileOutputStream(file)) {
            out.write(tally.snapshot());
        }
        MD5Hash digest = MD5FileUtil.computeAndSaveMd5ForFile(file);
        storage.updateLatestSnapshot(new SingleFileSnapshotInfo(new FileInfo(file.toPath(), digest), last));
        return last.getIndex();
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean allServers) {
        closed.run();
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId newLeader) {
        leader.accept(newLeader.toString());
    }
}
