// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

/** The names in a client certificate that was verified, so that a renewed certificate is the same caller. */
final class CertificateSource implements CallerSource {

    @Override
    public List<String> parts(HttpHeaders headers, Channel connection) {
        List<X509Certificate> chain = ClientPeer.certificates(connection);
        if (chain.isEmpty()) {
            return List.of();
        }
        X509Certificate certificate = chain.get(0);
        String subject = certificate.getSubjectX500Principal().getName();
        String names = alternativeNames(certificate);
        if (subject.isEmpty() && names.isEmpty()) {
            return List.of("certificate-hash", hash(certificate));
        }
        return List.of("certificate", certificate.getIssuerX500Principal().getName(), subject, names);
    }

    private static String alternativeNames(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null
                    ? ""
                    : String.join(
                            ",",
                            names.stream()
                                    .filter(name -> name.get(1) instanceof String)
                                    .map(name -> name.get(0) + ":" + name.get(1))
                                    .sorted()
                                    .toList());
        } catch (CertificateParsingException e) {
            throw CallerRefused.unauthenticated("The names in the client certificate cannot be read.");
        }
    }

    private static String hash(X509Certificate certificate) {
        try {
            return HexFormat.of().formatHex(CredentialHash.sha256().digest(certificate.getEncoded()));
        } catch (CertificateEncodingException e) {
            throw CallerRefused.unauthenticated("The client certificate cannot be read.");
        }
    }
}
