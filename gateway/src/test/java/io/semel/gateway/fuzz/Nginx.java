// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** nginx as a reverse proxy before a service. */
final class Nginx implements AutoCloseable {

    private final Process process;
    private final int port;

    Nginx(Path directory, int upstream) throws IOException {
        port = freePort();
        Path config = Files.writeString(directory.resolve("nginx.conf"), """
            daemon off;
            master_process off;
            pid DIRECTORY/nginx.pid;
            error_log DIRECTORY/error.log;
            events { worker_connections 512; }
            http {
              access_log off;
              client_body_temp_path DIRECTORY/body;
              proxy_temp_path DIRECTORY/proxy;
              fastcgi_temp_path DIRECTORY/fastcgi;
              uwsgi_temp_path DIRECTORY/uwsgi;
              scgi_temp_path DIRECTORY/scgi;
              client_header_timeout 1s;
              client_body_timeout 1s;
              keepalive_timeout 1s;
              server {
                listen 127.0.0.1:PORT;
                location / {
                  proxy_pass http://127.0.0.1:UPSTREAM;
                  proxy_http_version 1.1;
                }
              }
            }
            """.replace("DIRECTORY", directory.toString())
                .replace("PORT", Integer.toString(port))
                .replace("UPSTREAM", Integer.toString(upstream)));
        process = new ProcessBuilder("nginx", "-c", config.toString(), "-p", directory.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("nginx.out").toFile())
                .start();
        await(directory);
    }

    int port() {
        return port;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void await(Path directory) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() < end) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException e) {
                if (!process.isAlive()) {
                    throw new IllegalStateException(Files.readString(directory.resolve("nginx.out")), e);
                }
                Thread.onSpinWait();
            }
        }
        throw new IllegalStateException("nginx does not listen.");
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
