// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.body;

import java.io.ByteArrayOutputStream;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.filter.FilteringParserDelegate;
import tools.jackson.core.filter.JsonPointerBasedFilter;
import tools.jackson.core.filter.TokenFilter;
import tools.jackson.core.json.JsonFactory;

/** The id of an event in its JSON body, which is its key. */
public final class EventId {

    private static final Pattern PLAIN = Pattern.compile("[ !#-\\[\\]-~]+");

    private final String pointer;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    public EventId(String pointer) {
        this.pointer = pointer;
    }

    public void update(byte[] bytes, int from, int length) throws BadBody {
        if (length > JsonDigester.MOST_BYTES - body.size()) {
            throw BadBody.tooLarge(JsonDigester.MOST_BYTES);
        }
        body.write(bytes, from, length);
    }

    @Nullable
    public String find() {
        return in(pointer, body.toByteArray());
    }

    /** The text or whole number that a JSON pointer leads to; null if there is none, none that could be a key, or no JSON. */
    public static @Nullable String in(String pointer, byte[] body) {
        try (JsonParser parser = Json.FACTORY.createParser(ObjectReadContext.empty(), body)) {
            String id = only(new FilteringParserDelegate(
                    parser, new JsonPointerBasedFilter(pointer), TokenFilter.Inclusion.ONLY_INCLUDE_ALL, true));
            return id != null && PLAIN.matcher(id).matches() ? id : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    /** To the end: what is broken after the id is no JSON, and two members of one name say two things. */
    private static @Nullable String only(JsonParser found) {
        JsonToken token = found.nextToken();
        boolean scalar = token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT;
        String id = scalar ? found.getString() : null;
        boolean more = false;
        while (token != null) {
            token = found.nextToken();
            more |= token != null;
        }
        return more ? null : id;
    }

    public static void check(String pointer) {
        try {
            if (!pointer.startsWith("/")) {
                throw new IllegalArgumentException(
                        "A JSON pointer to an id begins with a slash, unlike '" + pointer + "'.");
            }
            Json.check(pointer);
        } catch (NoClassDefFoundError e) {
            throw new IllegalStateException(
                    "Finding an id in a body needs Jackson: add tools.jackson.core:jackson-core.", e);
        }
    }

    /** Apart, so that nothing of it is loaded where no id is looked for. */
    private static final class Json {

        static final JsonFactory FACTORY = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                // A table of names that lives on would be a place for strangers to fill.
                .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                .build();

        static void check(String pointer) {
            JsonPointer.compile(pointer);
        }

        private Json() {}
    }
}
