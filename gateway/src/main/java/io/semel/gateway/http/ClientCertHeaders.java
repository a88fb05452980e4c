// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.http;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AttributeKey;
import io.semel.gateway.callers.ClientPeer;
import io.semel.gateway.config.ClientCert;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/** The verified certificate of a client in the header fields of RFC 9440. */
final class ClientCertHeaders {

    static final String CERTIFICATE = "client-cert";
    static final String CHAIN = "client-cert-chain";

    private static final AttributeKey<Encoded> OF_CONNECTION = AttributeKey.valueOf(ClientCertHeaders.class, "encoded");

    private final ClientCert passed;

    ClientCertHeaders(ClientCert passed) {
        this.passed = passed;
    }

    /** Where there is one, nothing else is said about certificates, by whomever. */
    void add(HttpHeaders headers, Channel client) {
        Encoded shown = passed == ClientCert.NONE ? Encoded.NONE : of(ClientPeer.connection(client));
        if (shown.own.isEmpty()) {
            return;
        }
        headers.set(CERTIFICATE, shown.own);
        headers.remove(CHAIN);
        if (passed == ClientCert.CHAIN && !shown.others.isEmpty()) {
            headers.set(CHAIN, shown.others);
        }
    }

    /** Encoded once for each connection. */
    private static Encoded of(Channel connection) {
        Encoded known = connection.attr(OF_CONNECTION).get();
        if (known == null) {
            known = Encoded.of(ClientPeer.certificates(connection));
            connection.attr(OF_CONNECTION).set(known);
        }
        return known;
    }

    private record Encoded(String own, String others) {

        private static final Encoded NONE = new Encoded("", "");

        private static Encoded of(List<X509Certificate> certificates) {
            return certificates.isEmpty()
                    ? NONE
                    : new Encoded(
                            bytes(certificates.get(0)),
                            certificates.stream().skip(1).map(Encoded::bytes).collect(Collectors.joining(", ")));
        }

        /** A byte sequence of RFC 9651. */
        private static String bytes(X509Certificate certificate) {
            try {
                return ":" + Base64.getEncoder().encodeToString(certificate.getEncoded()) + ":";
            } catch (CertificateEncodingException e) {
                throw new IllegalStateException("A certificate that was verified cannot be encoded.", e);
            }
        }
    }
}
