// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.client;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.semel.gateway.config.TlsFiles;
import io.semel.gateway.config.yaml.ConfigError;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** TLS of PEM files for the JDK's own HTTP client. */
public final class JdkTls {

    /** A client context that trusts the authorities in the files, or Java's own if they name none. */
    public static SSLContext of(TlsFiles files) {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
            Path trust = files.trust();
            if (trust != null) {
                builder.trustManager(trust.toFile());
            }
            Path certificate = files.certificate();
            Path key = files.key();
            if (certificate != null && key != null) {
                builder.keyManager(certificate.toFile(), key.toFile());
            }
            return ((JdkSslContext) builder.build()).context();
        } catch (IllegalArgumentException | SSLException e) {
            throw new ConfigError("TLS cannot be set up with these certificates: " + e.getMessage(), e);
        }
    }

    private JdkTls() {}
}
