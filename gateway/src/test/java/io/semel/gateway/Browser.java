// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A real Chromium without a window, one page of it, told what to do over its debugging port. */
final class Browser implements AutoCloseable, WebSocket.Listener {

    private static final long PATIENCE_SECONDS = 60;

    /** What the page complained about: uncaught exceptions and breaches of its policy. */
    final List<String> complaints = new CopyOnWriteArrayList<>();

    private final RunningProgram program;
    private final WebSocket socket;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final StringBuilder message = new StringBuilder();

    Browser(Path profile) {
        program = RunningProgram.program(
                profile,
                List.of(
                        "env",
                        // It leaves a directory there when it is killed.
                        "TMPDIR=" + profile,
                        "chromium",
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--no-first-run",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank"));
        String port = program.await("listening on ws://127\\.0\\.0\\.1:(\\d+)/").group(1);
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        socket = client.newWebSocketBuilder()
                .buildAsync(page(client, port), this)
                .join();
        for (String domain : List.of("Page", "Runtime", "Log")) {
            command(domain + ".enable");
        }
    }

    private static URI page(HttpClient client, String port) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new?about:blank"))
                .PUT(BodyPublishers.noBody())
                .build();
        String answer =
                client.sendAsync(request, BodyHandlers.ofString()).join().body();
        return URI.create(JsonMapper.shared()
                .readTree(answer)
                .path("webSocketDebuggerUrl")
                .asString());
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        message.append(part);
        if (last) {
            heard(JsonMapper.shared().readTree(message.toString()));
            message.setLength(0);
        }
        from.request(1);
        return CompletableFuture.completedFuture(null);
    }

    private void heard(JsonNode said) {
        CompletableFuture<JsonNode> waiting = answers.remove(said.path("id").asInt(-1));
        if (waiting != null) {
            waiting.complete(said);
        }
        String event = said.path("method").asString("");
        boolean isError = said.at("/params/entry/level").asString("").equals("error")
                && !said.at("/params/entry/source").asString("").equals("network");
        if (event.equals("Runtime.exceptionThrown") || isError) {
            complaints.add(said.path("params").toString());
        }
    }

    private JsonNode command(String method, Object... parameters) {
        int number = numbers.incrementAndGet();
        ObjectNode command = JsonMapper.shared().createObjectNode();
        command.put("id", number).put("method", method);
        ObjectNode given = command.putObject("params");
        for (int i = 0; i < parameters.length; i += 2) {
            given.set((String) parameters[i], JsonMapper.shared().valueToTree(parameters[i + 1]));
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(number, answer);
        socket.sendText(command.toString(), true).join();
        JsonNode said = answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        if (said.has("error")) {
            throw new IllegalStateException(method + ": " + said.path("error"));
        }
        return said.path("result");
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    void open(String url) {
        command("Page.navigate", "url", url);
        await("document.readyState === 'complete'");
    }

    /** The value of an expression, or of what it promises. */
    JsonNode value(String expression) {
        JsonNode result =
                command("Runtime.evaluate", "expression", expression, "awaitPromise", true, "returnByValue", true);
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + result.path("exceptionDetails"));
        }
        return result.at("/result/value");
    }

    String text() {
        return value("document.body.innerText").asString();
    }

    /** Waits until an expression is true. */
    void await(String expression) {
        JsonNode done = value("""
            new Promise((resolve) => {
              const end = Date.now() + 15000;
              const look = () => {
                let found = false;
                try { found = Boolean(%s); } catch (e) { found = false; }
                if (found || Date.now() > end) { resolve(found); } else { setTimeout(look, 20); }
              };
              look();
            })\
            """.formatted(expression));
        if (!done.asBoolean()) {
            throw new AssertionError("Never true: " + expression + "\non the page:\n" + text() + "\n" + complaints);
        }
    }

    void awaitText(String text) {
        await("document.body.innerText.includes(" + JsonMapper.shared().writeValueAsString(text) + ")");
    }

    /** Presses the first button or link that says so, with the mouse. */
    void press(String label) {
        String quoted = JsonMapper.shared().writeValueAsString(label);
        String found = "[...document.querySelectorAll('dialog[open] button, button, nav a')]"
                + ".find((each) => each.innerText === " + quoted + ")";
        await(found);
        JsonNode at = value("(() => { const element = " + found + "; element.scrollIntoView({block: 'center'});"
                + " const box = element.getBoundingClientRect();"
                + " return { x: box.x + box.width / 2, y: box.y + box.height / 2 }; })()");
        for (String type : List.of("mouseMoved", "mousePressed", "mouseReleased")) {
            command(
                    "Input.dispatchMouseEvent",
                    "type",
                    type,
                    "x",
                    at.path("x").asDouble(),
                    "y",
                    at.path("y").asDouble(),
                    "button",
                    type.equals("mouseMoved") ? "none" : "left",
                    "clickCount",
                    1);
        }
    }

    void type(String selector, String text) {
        await("document.querySelector(\"" + selector + "\")");
        value("document.querySelector(\"" + selector + "\").focus()");
        value("document.querySelector(\"" + selector + "\").select?.()");
        command("Input.insertText", "text", text);
    }

    void key(String name) {
        int code = name.equals("Tab") ? 9 : name.equals("Enter") ? 13 : 27;
        String typed = name.equals("Enter") ? "\r" : "";
        command("Input.dispatchKeyEvent", "type", "keyDown", "key", name, "windowsVirtualKeyCode", code, "text", typed);
        command("Input.dispatchKeyEvent", "type", "keyUp", "key", name, "windowsVirtualKeyCode", code);
    }

    void look(int width, int height, String scheme) {
        command(
                "Emulation.setDeviceMetricsOverride",
                "width",
                width,
                "height",
                height,
                "deviceScaleFactor",
                1,
                "mobile",
                width < 500);
        command(
                "Emulation.setEmulatedMedia",
                "features",
                List.of(Map.of("name", "prefers-color-scheme", "value", scheme)));
    }

    void picture(Path file) {
        String data =
                command("Page.captureScreenshot", "format", "png").path("data").asString();
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, Base64.getDecoder().decode(data));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        List<ProcessHandle> others =
                new ArrayList<>(program.process.descendants().toList());
        program.close();
        others.forEach(ProcessHandle::destroyForcibly);
        others.forEach(each -> each.onExit().join());
    }
}
