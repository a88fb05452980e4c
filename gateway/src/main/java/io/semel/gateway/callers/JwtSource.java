// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import io.semel.gateway.config.ScopeSettings;
import io.semel.gateway.config.yaml.ConfigError;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.text.ParseException;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Issuer and subject of a bearer token whose signature is verified, so that a new token is the same caller. */
final class JwtSource implements CallerSource {

    /** Signatures by private keys only: with a shared secret, every verifier could also sign. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512,
            JWSAlgorithm.EdDSA);

    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    JwtSource(ScopeSettings.Jwt jwt) {
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys(jwt)));
        processor.setJWTClaimsSetVerifier(new DefaultJWTClaimsVerifier<>(
                jwt.audience(), new JWTClaimsSet.Builder().issuer(jwt.issuer()).build(), Set.of("sub", "exp")));
    }

    private static JWKSource<SecurityContext> keys(ScopeSettings.Jwt jwt) {
        try {
            return jwt.keys() != null
                    ? new ImmutableJWKSet<>(JWKSet.load(jwt.keys().toFile()))
                    : JWKSourceBuilder.create(URI.create(Objects.requireNonNull(jwt.jwks()))
                                    .toURL())
                            .retrying(true)
                            .build();
        } catch (IOException | ParseException e) {
            String where = jwt.keys() != null ? jwt.keys().toString() : String.valueOf(jwt.jwks());
            String what = e instanceof MalformedURLException ? "is not a URL" : "cannot be read as a JSON key set";
            throw new ConfigError("The JWT keys: " + where + " " + what + ": " + e.getMessage(), e);
        }
    }

    /** The keys may have to be fetched. */
    @Override
    public boolean blocks() {
        return true;
    }

    @Override
    public List<String> parts(HttpHeaders headers, Channel connection) {
        String token = BearerToken.token(headers);
        if (token == null) {
            return List.of();
        }
        JWTClaimsSet claims = verified(token);
        return List.of("jwt", claims.getIssuer(), claims.getSubject());
    }

    private JWTClaimsSet verified(String token) {
        try {
            return processor.process(token, null);
        } catch (KeySourceException e) {
            throw CallerRefused.notNow(e);
        } catch (ParseException | BadJOSEException | JOSEException e) {
            throw CallerRefused.unauthenticated("The bearer token is not valid: " + e.getMessage());
        }
    }
}
