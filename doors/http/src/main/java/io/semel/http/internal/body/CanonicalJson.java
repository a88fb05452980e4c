// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.body;

import io.semel.http.internal.text.JsonText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * Rewrites JSON so that equal meaning gives equal text: RFC 8785, except that numbers keep all their digits, because two
 * account numbers above 2<sup>53</sup> must not become one.
 */
final class CanonicalJson {

    private static final int DEEPEST = 200;
    private static final int LONGEST_NUMBER = 1000;

    private final JsonFactory json = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNumberLength(LONGEST_NUMBER)
                    .maxNameLength(JsonDigester.MOST_BYTES)
                    .build())
            // A table of names that lives on would be a place for strangers to fill.
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            .build();
    private final Set<String> ignored;

    CanonicalJson(Set<String> ignored) {
        for (String pointer : ignored) {
            if (!pointer.startsWith("/")) {
                throw new IllegalArgumentException(
                        "A JSON pointer to an ignored member begins with a slash, unlike '" + pointer + "'.");
            }
            JsonPointer.compile(pointer);
        }
        this.ignored = ignored;
    }

    /** Of no text at all, no text. */
    String text(String body) throws BadBody {
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), withoutMark(body))) {
            StringBuilder text = new StringBuilder(body.length());
            if (parser.nextToken() != null) {
                write(value(parser), text);
                if (parser.nextToken() != null) {
                    throw BadBody.unreadable("There is something after the end of the JSON value.");
                }
            }
            return text.toString();
        } catch (JacksonException | ArithmeticException | NumberFormatException e) {
            throw BadBody.unreadable("The body is not JSON that can be compared: it is malformed, nested deeper than "
                    + DEEPEST + " levels, or has a number out of all bounds.");
        }
    }

    private static String withoutMark(String body) {
        return body.startsWith("\ufeff") ? body.substring(1) : body;
    }

    private Object value(JsonParser parser) throws BadBody {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> quoted(parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getDecimalValue());
            default -> parser.getString();
        };
    }

    private Map<String, Object> object(JsonParser parser) throws BadBody {
        Map<String, Object> members = new TreeMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            if (!skipped(parser) && members.put(name, value(parser)) != null) {
                throw BadBody.unreadable("A JSON object has two members of one name.");
            }
        }
        return members;
    }

    private List<Object> array(JsonParser parser) throws BadBody {
        List<Object> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (!skipped(parser)) {
                elements.add(value(parser));
            }
        }
        return elements;
    }

    private boolean skipped(JsonParser parser) {
        if (ignored.isEmpty()
                || !ignored.contains(parser.streamReadContext().pathAsPointer().toString())) {
            return false;
        }
        parser.skipChildren();
        return true;
    }

    private static void write(Object value, StringBuilder text) {
        if (value instanceof Map<?, ?> members) {
            text.append('{');
            members.forEach((name, member) -> {
                text.append(quoted((String) name)).append(':');
                write(member, text);
                text.append(',');
            });
            end(text, '}');
        } else if (value instanceof List<?> elements) {
            text.append('[');
            elements.forEach(element -> {
                write(element, text);
                text.append(',');
            });
            end(text, ']');
        } else {
            text.append(value);
        }
    }

    private static void end(StringBuilder text, char bracket) {
        int last = text.length() - 1;
        if (text.charAt(last) == ',') {
            text.setCharAt(last, bracket);
        } else {
            text.append(bracket);
        }
    }

    private static String number(BigDecimal value) {
        return value.stripTrailingZeros().toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2);
        JsonText.quote(text, quoted, false);
        return quoted.toString();
    }
}
