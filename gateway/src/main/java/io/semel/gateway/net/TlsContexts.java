// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.net;

import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.semel.gateway.config.TlsFiles;
import io.semel.gateway.config.yaml.ConfigError;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Creates TLS contexts from PEM files. */
public final class TlsContexts {

    /** Null where there are no certificates, so that the port is plain HTTP. */
    public static @Nullable SslContext server(TlsFiles files) {
        Path certificate = files.certificate();
        Path key = files.key();
        if (certificate == null || key == null) {
            return null;
        }
        SslContextBuilder builder =
                read(certificate, () -> SslContextBuilder.forServer(certificate.toFile(), key.toFile()));
        Path trust = files.trust();
        if (trust != null) {
            read(trust, () -> builder.trustManager(trust.toFile()).clientAuth(ClientAuth.REQUIRE));
        }
        builder.protocols("TLSv1.3", "TLSv1.2")
                .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT,
                        ApplicationProtocolNames.HTTP_2,
                        ApplicationProtocolNames.HTTP_1_1));
        return build(builder);
    }

    public static SslContext client(TlsFiles files) {
        SslContextBuilder builder = SslContextBuilder.forClient().endpointIdentificationAlgorithm("HTTPS");
        Path trust = files.trust();
        if (trust != null) {
            read(trust, () -> builder.trustManager(trust.toFile()));
        }
        Path certificate = files.certificate();
        Path key = files.key();
        if (certificate != null && key != null) {
            read(certificate, () -> builder.keyManager(certificate.toFile(), key.toFile()));
        }
        return build(builder);
    }

    private static SslContext build(SslContextBuilder builder) {
        try {
            return builder.build();
        } catch (SSLException e) {
            throw new ConfigError("TLS cannot be set up with these certificates: " + e.getMessage(), e);
        }
    }

    private static SslContextBuilder read(Path file, Reading reading) {
        try {
            return reading.read();
        } catch (IllegalArgumentException e) {
            throw new ConfigError("The certificate or key in " + file + " cannot be read as PEM: " + e.getMessage(), e);
        }
    }

    private interface Reading {
        SslContextBuilder read();
    }

    private TlsContexts() {}
}
