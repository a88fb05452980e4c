// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A key and a certificate, which vouches for itself unless somebody else does, made by the JDK's keytool. */
public final class Certificates {

    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String NAMES = "san=dns:localhost,ip:127.0.0.1";

    private final KeyStore store;
    public final Path certificate;
    public final Path key;

    public Certificates(Path directory, String name)
            throws IOException, GeneralSecurityException, InterruptedException {
        this(directory, name, name, NAMES, null);
    }

    private Certificates(Path directory, String fileName, String name, String extension, @Nullable Certificates issuer)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path file = directory.resolve(fileName + ".p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "me",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                extension,
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD)));
        if (issuer != null) {
            issuer.keepAs("issuer", file);
            command.addAll(List.of("-signer", "issuer"));
        }
        if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
            throw new IllegalStateException("keytool failed");
        }
        store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        if (issuer != null) {
            store.deleteEntry("issuer");
        }
        certificate = pem(directory.resolve(fileName + ".crt"), "CERTIFICATE", own().getEncoded());
        Key own = store.getKey("me", PASSWORD);
        key = pem(directory.resolve(fileName + ".key"), "PRIVATE KEY", own.getEncoded());
    }

    /** One that can vouch for others. */
    public static Certificates authority(Path directory, String name)
            throws IOException, GeneralSecurityException, InterruptedException {
        return new Certificates(directory, name, name, "bc=ca:true", null);
    }

    /** Another one each time, with a key and a number of its own, whatever name it has. */
    public Certificates issue(Path directory, String fileName, String name)
            throws IOException, GeneralSecurityException, InterruptedException {
        return new Certificates(directory, fileName, name, NAMES, this);
    }

    private void keepAs(String alias, Path file) throws IOException, GeneralSecurityException {
        KeyStore kept = KeyStore.getInstance("PKCS12");
        kept.load(null, null);
        kept.setKeyEntry(alias, store.getKey("me", PASSWORD), PASSWORD, store.getCertificateChain("me"));
        try (OutputStream out = Files.newOutputStream(file)) {
            kept.store(out, PASSWORD);
        }
    }

    Certificate own() throws GeneralSecurityException {
        return store.getCertificate("me");
    }

    /** For a client that shows this certificate and trusts that one. */
    public SSLContext trusting(Certificates other) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("other", (X509Certificate) other.own());
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static Path pem(Path file, String what, byte[] bytes) throws IOException {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n");
    }
}
