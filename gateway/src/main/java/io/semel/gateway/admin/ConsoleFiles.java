// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files of the console, with headers that keep everything else out. */
final class ConsoleFiles {

    private static final List<String> NAMES = List.of(
            "index.html",
            "console.css",
            "icon.svg",
            "main.js",
            "api.js",
            "dom.js",
            "format.js",
            "chart.js",
            "activity.js",
            "counts.js",
            "overview.js",
            "lists.js",
            "sweep.js",
            "sessions.js",
            "story.js",
            "verdicts.js",
            "audit.js",
            "settings.js");

    /** Text never becomes markup or a program here, whatever a client put into its key. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    private final Map<String, byte[]> files = new HashMap<>();

    ConsoleFiles() {
        for (String name : NAMES) {
            files.put("/" + name, read("console/" + name));
        }
        files.put("/", read("console/index.html"));
    }

    byte @Nullable [] find(String path) {
        return files.get(path);
    }

    static String type(String path) {
        if (path.endsWith(".js")) {
            return "text/javascript; charset=utf-8";
        }
        if (path.endsWith(".css")) {
            return "text/css; charset=utf-8";
        }
        return path.endsWith(".svg") ? "image/svg+xml" : "text/html; charset=utf-8";
    }

    static void protect(HttpHeaders headers) {
        headers.set("Content-Security-Policy", POLICY);
        headers.set("Cache-Control", "no-store");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
    }

    private static byte[] read(String name) {
        try (InputStream in = ConsoleFiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("The file " + name + " is missing in the gateway's jar.");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
