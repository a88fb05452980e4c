// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.ssl.SslHandler;
import io.semel.http.Caller;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** Names callers by the hash of everything that they show: certificate and credential headers, whole. */
final class CredentialCallers implements Callers {

    private final List<String> credentials;
    private final @Nullable String tenantHeader;
    private final boolean certificates;

    CredentialCallers(List<String> credentials, @Nullable String tenantHeader, boolean certificates) {
        this.credentials = credentials;
        this.tenantHeader = tenantHeader;
        this.certificates = certificates;
    }

    @Override
    public Caller of(HttpHeaders headers, Channel channel) {
        return new Caller(tenant(headers, tenantHeader), principal(headers, channel));
    }

    static @Nullable String tenant(HttpHeaders headers, @Nullable String tenantHeader) {
        String tenant = tenantHeader == null ? null : String.join(",", headers.getAll(tenantHeader));
        return tenant == null || tenant.isEmpty() ? null : tenant;
    }

    private @Nullable String principal(HttpHeaders headers, Channel channel) {
        MessageDigest digest = null;
        byte[] certificate = certificates ? certificate(channel) : null;
        if (certificate != null) {
            digest = add(null, "certificate", certificate);
        }
        for (String name : credentials) {
            for (String value : headers.getAll(name)) {
                digest = add(digest, name, value.getBytes(StandardCharsets.UTF_8));
            }
        }
        return digest == null ? null : "credential:" + HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest add(@Nullable MessageDigest begun, String what, byte[] value) {
        MessageDigest digest = begun == null ? sha256() : begun;
        digest.update((what.toLowerCase(Locale.ROOT) + ":" + value.length + ":").getBytes(StandardCharsets.UTF_8));
        digest.update(value);
        return digest;
    }

    private static byte @Nullable [] certificate(Channel channel) {
        Channel connection = channel.parent() != null && channel.pipeline().get(SslHandler.class) == null
                ? channel.parent()
                : channel;
        SslHandler ssl = connection.pipeline().get(SslHandler.class);
        if (ssl == null) {
            return null;
        }
        try {
            return ssl.engine().getSession().getPeerCertificates()[0].getEncoded();
        } catch (SSLPeerUnverifiedException | CertificateEncodingException e) {
            // The client showed none; whether it has to is for the settings to say.
            return null;
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256.", e);
        }
    }
}
