// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.raft;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.util.TimeDuration;

/**
 * A client with a session: it numbers what it adds, and sends the same number again until it has an answer.
 *
 * <p>Ratis is told not to retry by itself, so that every retry is a new request to it, as from a client that has been restarted.
 */
final class TallyClient implements AutoCloseable {

    private final RaftClient raft;
    private final String name;
    private long number;
    private long sent;

    TallyClient(RaftGroup group, String name) {
        RaftProperties properties = new RaftProperties();
        RaftClientConfigKeys.Rpc.setRequestTimeout(properties, TimeDuration.valueOf(1, TimeUnit.SECONDS));
        this.raft = RaftClient.newBuilder()
                .setRaftGroup(group)
                .setProperties(properties)
                .setRetryPolicy(RetryPolicies.noRetry())
                .build();
        this.name = name;
    }

    void register() throws InterruptedException {
        expect("registered", sendUntilAnswered("register " + name));
    }

    /** Adds to the count, once. */
    long add(long amount) throws InterruptedException {
        number++;
        return again(amount);
    }

    /** Sends the last request once more, as a network would that delivers twice. */
    long again(long amount) throws InterruptedException {
        return Long.parseLong(sendUntilAnswered("add " + name + " " + number + " " + number + " " + amount));
    }

    /** How often something was sent, retries included. */
    long sent() {
        return sent;
    }

    /** Count and digest of the whole state of one server, as soon as it can be asked. */
    String stateInTheEnd(RaftPeerId server, long end) throws IOException, InterruptedException {
        while (true) {
            try {
                return text(raft.io().sendStaleRead(Message.valueOf("state"), 0, server));
            } catch (IOException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    private String sendUntilAnswered(String command) throws InterruptedException {
        while (true) {
            sent++;
            try {
                RaftClientReply reply = raft.io().send(Message.valueOf(command));
                if (reply != null && reply.isSuccess()) {
                    return text(reply);
                }
            } catch (IOException outcomeUnknown) {
                // Perhaps it was done, perhaps not: the same number again tells.
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    private static String text(RaftClientReply reply) {
        return reply.getMessage().getContent().toStringUtf8();
    }

    private static void expect(String wanted, String got) {
        if (!wanted.equals(got)) {
            throw new IllegalStateException(got);
        }
    }

    @Override
    public void close() throws IOException {
        raft.close();
    }
}
