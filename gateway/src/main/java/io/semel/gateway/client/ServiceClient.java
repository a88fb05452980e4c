// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.client;

import io.semel.gateway.config.TlsFiles;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Sends requests to the operator's own services with the current upstream certificates; blocks, but not for long. */
public final class ServiceClient {

    /** Few enough that a service which does not answer leaves threads for everything else. */
    public static final int MOST_AT_ONCE = 8;

    private final TlsFiles files;
    private final Duration patience;
    private final Semaphore free = new Semaphore(MOST_AT_ONCE);
    private List<byte[]> seen = List.of();
    private @Nullable HttpClient client;

    public ServiceClient(TlsFiles files, Duration patience) {
        this.files = files;
        this.patience = patience;
    }

    /**
     * Waits for the answer.
     *
     * @throws IOException if there is no whole one of at most so many bytes in time, or too many others wait for theirs
     */
    public HttpResponse<byte[]> ask(HttpRequest question, long mostBytes) throws IOException {
        if (!free.tryAcquire()) {
            throw new IOException(MOST_AT_ONCE + " questions before it are not answered yet.");
        }
        try {
            return answer(question, mostBytes);
        } finally {
            free.release();
        }
    }

    private HttpResponse<byte[]> answer(HttpRequest question, long mostBytes) throws IOException {
        CompletableFuture<HttpResponse<byte[]>> answer = client().sendAsync(question, BoundedBody.of(mostBytes));
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException("There was no answer within " + patience.toSeconds() + " s.", e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Files may have been renewed; they are small, and questions rare. */
    private synchronized HttpClient client() throws IOException {
        List<byte[]> now = contents();
        HttpClient known = client;
        if (known == null || !isSame(now)) {
            HttpClient.Builder building = HttpClient.newBuilder().connectTimeout(patience);
            known = now.isEmpty()
                    ? building.build()
                    : building.sslContext(JdkTls.of(files)).build();
            client = known;
            seen = now;
        }
        return known;
    }

    private boolean isSame(List<byte[]> now) {
        boolean same = now.size() == seen.size();
        for (int i = 0; same && i < now.size(); i++) {
            same = Arrays.equals(now.get(i), seen.get(i));
        }
        return same;
    }

    private List<byte[]> contents() throws IOException {
        List<byte[]> all = new ArrayList<>();
        for (Path file : new @Nullable Path[] {files.trust(), files.certificate(), files.key()}) {
            if (file != null) {
                all.add(Files.readAllBytes(file));
            }
        }
        return all;
    }
}
