// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/** Does what curl does for the options that our pages use, on machines that need not have it; any other is an error. */
final class Curl {

    /** Words as a shell reads them: in single quotes everything stands for itself. */
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    private final List<String> query = new ArrayList<>();
    private final HttpRequest.Builder request = HttpRequest.newBuilder();
    private String url = "";

    static String typed(String command) throws Exception {
        return new Curl().run(command);
    }

    private String run(String command) throws Exception {
        Deque<String> words = new ArrayDeque<>();
        WORD.matcher(command)
                .results()
                .forEach(word -> words.add(word.group(1) != null ? word.group(1) : word.group(2)));
        if (!words.remove().equals("curl")) {
            throw new IllegalArgumentException(command);
        }
        while (!words.isEmpty()) {
            read(words.remove(), words);
        }
        String target = query.isEmpty() ? url : url + "?" + String.join("&", query);
        return HttpClient.newHttpClient()
                .send(request.uri(URI.create(target)).build(), BodyHandlers.ofString())
                .body();
    }

    private void read(String word, Deque<String> rest) {
        switch (word) {
            case "-s", "-G" -> {}
            case "-H" -> {
                String[] line = rest.remove().split(": ", 2);
                request.header(line[0], line[1]);
            }
            case "-d" -> request.POST(BodyPublishers.ofString(rest.remove()));
            case "--data-urlencode" -> {
                String[] pair = rest.remove().split("=", 2);
                query.add(pair[0] + "=" + URLEncoder.encode(pair[1], UTF_8));
            }
            default -> url(word);
        }
    }

    private void url(String word) {
        if (!word.startsWith("http://") || !url.isEmpty()) {
            throw new IllegalArgumentException("This is not known here: " + word);
        }
        url = word;
    }
}
