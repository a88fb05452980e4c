// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.body;

import io.semel.http.internal.text.Sha256;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects a JSON body and digests its canonical text. */
public final class JsonDigester implements BodyDigester {

    /** Reading JSON takes up to some thirty times its size in memory. */
    static final int MOST_BYTES = 1 << 20;

    private final CanonicalJson canonical;

    private JsonDigester(CanonicalJson canonical) {
        this.canonical = canonical;
    }

    public static JsonDigester ignoring(String... pointers) {
        try {
            return new JsonDigester(new CanonicalJson(Set.of(pointers)));
        } catch (NoClassDefFoundError e) {
            throw new IllegalStateException(
                    "Comparing JSON by its meaning needs Jackson: add tools.jackson.core:jackson-core, or compare raw bytes.",
                    e);
        }
    }

    @Override
    public String name() {
        return "json";
    }

    @Override
    public boolean parses() {
        return true;
    }

    @Override
    public boolean takes(@Nullable MediaType type) {
        return type != null && type.isJson();
    }

    @Override
    public String meaninglessParameter() {
        return "charset";
    }

    @Override
    public BodyDigest start(@Nullable MediaType type) throws BadBody {
        return new Collected(charset(type == null ? null : type.parameter("charset")));
    }

    private static Charset charset(@Nullable String name) throws BadBody {
        try {
            return name == null ? StandardCharsets.UTF_8 : Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw BadBody.unreadable("The charset of the body is not known here; send UTF-8.");
        }
    }

    private final class Collected implements BodyDigest {

        private final Charset charset;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        Collected(Charset charset) {
            this.charset = charset;
        }

        @Override
        public void update(byte[] bytes, int from, int length) throws BadBody {
            if (length > MOST_BYTES - body.size()) {
                throw BadBody.tooLarge(MOST_BYTES);
            }
            body.write(bytes, from, length);
        }

        @Override
        public byte[] finish() throws BadBody {
            return Sha256.digest().digest(canonical.text(decoded()).getBytes(StandardCharsets.UTF_8));
        }

        private String decoded() throws BadBody {
            try {
                return charset.newDecoder()
                        .decode(ByteBuffer.wrap(body.toByteArray()))
                        .toString();
            } catch (CharacterCodingException e) {
                throw BadBody.unreadable("The body is not written in its charset, " + charset.name() + ".");
            }
        }
    }
}
