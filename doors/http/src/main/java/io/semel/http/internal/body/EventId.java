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
import tools.jackson.core.TokenStreamFactory;
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
            Found found = new Found();
            if (parser.nextToken() != null) {
                found.search(parser, JsonPointer.compile(pointer));
            }
            // What is broken after the id, or has something behind it, is no JSON.
            boolean whole = parser.nextToken() == null;
            String id = whole && !found.twice ? found.id : null;
            return id != null && PLAIN.matcher(id).matches() ? id : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    /** Follows a pointer through a document; members of one name count only where the pointer passes, so that it keeps no names. */
    private static final class Found {

        private @Nullable String id;
        /** Whether a member on the pointer's way comes twice, so that readers may differ. */
        private boolean twice;

        void search(JsonParser parser, JsonPointer pointer) {
            if (pointer.matches()) {
                JsonToken token = parser.currentToken();
                boolean scalar = token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT;
                id = scalar ? parser.getString() : null;
                parser.skipChildren();
            } else if (parser.currentToken() == JsonToken.START_OBJECT) {
                boolean passed = false;
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    JsonPointer rest = pointer.matchProperty(parser.currentName());
                    parser.nextToken();
                    go(parser, rest);
                    twice |= passed && rest != null;
                    passed |= rest != null;
                }
            } else if (parser.currentToken() == JsonToken.START_ARRAY) {
                for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                    go(parser, pointer.matchElement(i));
                }
            }
        }

        private void go(JsonParser parser, @Nullable JsonPointer rest) {
            if (rest == null) {
                parser.skipChildren();
            } else {
                search(parser, rest);
            }
        }
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
                // A table of names that lives on would be a place for strangers to fill.
                .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                .build();

        static void check(String pointer) {
            JsonPointer.compile(pointer);
        }

        private Json() {}
    }
}
