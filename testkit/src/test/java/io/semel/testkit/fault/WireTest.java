// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.testkit.fault.Wire.Failure;
import io.semel.testkit.fault.Wire.Moment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WireTest {

    private final Echo server = new Echo();
    private final Wire wire = Wire.to(server.port());

    WireTest() throws IOException {}

    @AfterEach
    void stop() throws IOException {
        wire.close();
        server.close();
    }

    @Test
    void itCarriesWhatBothSay() throws Exception {
        try (Client client = new Client()) {
            client.say("one");
            client.say("two");

            assertThat(List.of(client.hear(), client.hear())).containsExactly("heard one", "heard two");
        }
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void aCutAtAWordClosesItsConnectionBeforeOrAfterTheServerHasIt(Moment moment) throws Exception {
        try (Client client = new Client();
                Client other = new Client()) {
            wire.failAt("pay", moment, Failure.CUT);
            client.say("look");
            assertThat(client.hear()).isEqualTo("heard look");
            assertThat(wire.failed()).isFalse();
            client.say("pay 5 EUR");

            assertThat(client.hear()).isNull();
            assertThat(wire.failed()).isTrue();
            other.say("pay 7 EUR");
            assertThat(other.hear()).isEqualTo("heard pay 7 EUR");
        }
        assertThat(server.heard)
                .containsExactlyElementsOf(
                        moment == Moment.AFTER
                                ? List.of("look", "pay 5 EUR", "pay 7 EUR")
                                : List.of("look", "pay 7 EUR"));
    }

    @Test
    void aCutClosesWhatIsOpenAndLetsNewConnectionsThrough() throws Exception {
        try (Client open = new Client()) {
            open.say("one");
            assertThat(open.hear()).isEqualTo("heard one");
            wire.cut();
            assertThat(open.hear()).isNull();
        }
        try (Client next = new Client()) {
            next.say("two");
            assertThat(next.hear()).isEqualTo("heard two");
        }
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void aBlackHoleTellsNobodyAnything(Moment moment) throws Exception {
        try (Client client = new Client()) {
            wire.failAt("pay", moment, Failure.BLACK_HOLE);
            client.say("pay 5 EUR");
            client.say("look");
            if (moment == Moment.AFTER) {
                assertThat(server.heard.poll(1, TimeUnit.MINUTES)).isEqualTo("pay 5 EUR");
                assertThat(server.heard.poll(1, TimeUnit.MINUTES)).isEqualTo("look");
            }

            client.socket.setSoTimeout(50);
            assertThatThrownBy(client::hear).isInstanceOf(SocketTimeoutException.class);
            assertThat(server.heard).isEmpty();
        }
    }

    @Test
    void answersTakeAsLongAsTheDelaySays() throws Exception {
        try (Client client = new Client()) {
            wire.delay(Duration.ofMillis(100));
            long start = System.nanoTime();
            client.say("one");
            assertThat(client.hear()).isEqualTo("heard one");
            assertThat(System.nanoTime() - start)
                    .isGreaterThanOrEqualTo(Duration.ofMillis(100).toNanos());
        }
    }

    /** Somebody who says lines. */
    private final class Client implements AutoCloseable {

        private final Socket socket = new Socket(InetAddress.getLoopbackAddress(), wire.port());
        private final BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));

        Client() throws IOException {}

        void say(String line) throws IOException {
            socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        }

        String hear() throws IOException {
            try {
                return in.readLine();
            } catch (SocketException reset) {
                return null;
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** A server that says back what it has heard. */
    private static final class Echo implements AutoCloseable {

        private final ServerSocket entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

        Echo() throws IOException {
            start(this::accept);
        }

        int port() {
            return entry.getLocalPort();
        }

        private void accept() throws IOException {
            while (true) {
                Socket client = entry.accept();
                start(() -> answer(client));
            }
        }

        private void answer(Socket client) throws IOException {
            try (client;
                    BufferedReader in = new BufferedReader(
                            new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    heard.add(line);
                    client.getOutputStream().write(("heard " + line + "\n").getBytes(StandardCharsets.US_ASCII));
                }
            }
        }

        private static void start(Step step) {
            Thread thread = new Thread(() -> {
                try {
                    step.run();
                } catch (IOException closed) {
                    Thread.currentThread().interrupt();
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void close() throws IOException {
            entry.close();
        }

        private interface Step {
            void run() throws IOException;
        }
    }
}
