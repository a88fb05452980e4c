// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A small proxy with faults; without any it does as the gateway should. It answers a connection when all of its requests are read. */
final class FaultyProxy implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 40;

    private final Set<Fault> faults;
    private final int upstream;
    private final SocketServer server = new SocketServer(this::serve);

    FaultyProxy(Set<Fault> faults, int upstream) {
        this.faults = faults;
        this.upstream = upstream;
    }

    int port() {
        return server.port();
    }

    private void serve(Socket client) throws IOException {
        client.setSoTimeout(PATIENCE_MILLIS);
        List<Exchanged> all = new ArrayList<>();
        String refusal = exchange(client, all);
        StringBuilder answers = new StringBuilder();
        for (Exchanged each : wronged(all)) {
            answers.append(each.head).append(each.body);
        }
        write(client, answers.append(refusal).toString());
        client.shutdownOutput();
        client.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    /** Why it went no further, as an answer. */
    private String exchange(Socket client, List<Exchanged> all) throws IOException {
        RequestReader reader = new RequestReader(new BufferedInputStream(client.getInputStream()), faults);
        try (Socket service = new Socket(InetAddress.getLoopbackAddress(), upstream)) {
            service.setTcpNoDelay(true);
            AnswerReader answers = new AnswerReader(new BufferedInputStream(service.getInputStream()));
            for (ReceivedRequest next = reader.next(); next != null; next = reader.next()) {
                if (!next.error().isEmpty() && !has(Fault.ANY_VERSION)) {
                    break;
                }
                if (has(Fault.REFUSES_CHUNKS) && next.body().startsWith("0\r\n")) {
                    break;
                }
                all.add(ask(next, service, answers));
                if (has(Fault.SENT_TWICE) && all.size() == 3) {
                    ask(next, service, answers);
                }
            }
            return "";
        } catch (SocketTimeoutException e) {
            return "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n";
        } catch (IOException e) {
            return "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
        }
    }

    private Exchanged ask(ReceivedRequest request, Socket service, AnswerReader answers) throws IOException {
        ReceivedRequest sent = request.inOriginForm();
        String method = has(Fault.HEAD_BECOMES_GET) && sent.method().equals("HEAD") ? "GET" : sent.method();
        int cut = has(Fault.BODY_CUT) && !sent.body().isEmpty() ? 1 : 0;
        String body = sent.body().substring(cut);
        write(
                service,
                method + " " + sent.target() + " HTTP/1.1\r\nHost: shop\r\nX-Id: " + sent.id() + "\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body);
        AnswerReader.Answered answer = answers.next(null);
        if (answer == null) {
            throw new IOException("There is no answer.");
        }
        boolean empty = sent.method().equals("HEAD");
        String told = "HTTP/1.1 200 OK\r\nX-Echo: " + answer.echo() + "\r\nX-Echo-Method: "
                + answer.fields().one("x-echo-method") + "\r\nContent-Length: "
                + ("answer to " + answer.echo()).length() + "\r\n\r\n";
        return new Exchanged(empty, told, empty && !has(Fault.HEAD_HAS_A_BODY) ? "" : "answer to " + answer.echo());
    }

    private List<Exchanged> wronged(List<Exchanged> all) {
        List<Exchanged> answers = new ArrayList<>(all);
        int last = answers.size() - 1;
        for (int i = 0; i < last && has(Fault.HEAD_TAKES_THE_BODY_BEFORE); i++) {
            Exchanged each = answers.get(i);
            answers.set(i, answers.get(i + 1).toHead ? new Exchanged(false, each.head, "") : each);
        }
        if (last > 0 && has(Fault.ANSWERS_SWAPPED)) {
            answers.add(answers.remove(last - 1));
        }
        if (last > 0 && has(Fault.ANSWER_LOST)) {
            answers.remove(last - 1);
        }
        if (last > 0 && has(Fault.ANSWER_TWICE)) {
            answers.add(answers.get(last));
        }
        return answers;
    }

    private boolean has(Fault fault) {
        return faults.contains(fault);
    }

    private static void write(Socket to, String text) throws IOException {
        to.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void close() {
        server.close();
    }

    private record Exchanged(boolean toHead, String head, String body) {}
}
