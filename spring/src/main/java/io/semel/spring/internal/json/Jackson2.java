// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.PolymorphicTypeValidator;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.type.CollectionType;
import io.semel.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/** JSON by Jackson 2; apart, because its classes may be missing. */
final class Jackson2 implements Json {

    private static final ObjectMapper PLAIN = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final ObjectMapper answers;
    private final ObjectMapper sorted;

    private Jackson2(ObjectMapper applications) {
        this.answers = applications.copy();
        answers.deactivateDefaultTyping();
        answers.setPolymorphicTypeValidator(new NoClassNames());
        this.sorted = sorting(applications.copy());
    }

    /** Only a builder sets features of mappers without a warning, and there is none for the mapper of an application. */
    @SuppressWarnings("deprecation")
    private static ObjectMapper sorting(ObjectMapper mapper) {
        mapper.deactivateDefaultTyping();
        mapper.enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY);
        mapper.disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST);
        mapper.enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
        mapper.enable(SerializationFeature.FAIL_ON_EMPTY_BEANS);
        mapper.disable(SerializationFeature.INDENT_OUTPUT);
        mapper.registerModule(new SimpleModule("semel-sorted").setSerializerModifier(new SortingSets(mapper)));
        return mapper;
    }

    static Optional<Json> of(ListableBeanFactory beans) {
        return Optional.ofNullable(beans.getBeanProvider(ObjectMapper.class).getIfAvailable())
                .map(Jackson2::new);
    }

    static Json standard() {
        return new Jackson2(JsonMapper.builder().findAndAddModules().build());
    }

    @Override
    public Codec<Optional<Object>> codec(Type type) {
        JavaType java = answers.constructType(type);
        return new JsonCodec(new Mapping(answers.writerFor(java), answers.readerFor(java)));
    }

    @Override
    public byte[] sorted(List<@Nullable Object> values) {
        try {
            return sorted.writeValueAsBytes(values);
        } catch (JsonProcessingException e) {
            throw invalid(e);
        }
    }

    @Override
    public boolean isNull(String text) {
        try {
            JsonNode json = PLAIN.readTree(text);
            if (json.isMissingNode()) {
                throw new InvalidJson("it is empty");
            }
            return json.isNull();
        } catch (JsonProcessingException e) {
            throw invalid(e);
        }
    }

    private static InvalidJson invalid(JsonProcessingException e) {
        return new InvalidJson(String.valueOf(e.getOriginalMessage()), e);
    }

    private record Mapping(ObjectWriter writer, ObjectReader reader) implements JsonCodec.Mapping {

        @Override
        public byte[] write(@Nullable Object value) {
            try {
                return writer.writeValueAsBytes(value);
            } catch (JsonProcessingException e) {
                throw invalid(e);
            }
        }

        @Override
        public @Nullable Object read(byte[] json) {
            try {
                return reader.readValue(json);
            } catch (JsonProcessingException e) {
                throw invalid(e);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A type that asks for class names in its JSON is refused when its codec is first used. */
    private static final class NoClassNames extends PolymorphicTypeValidator.Base {

        private static final long serialVersionUID = 1L;

        @Override
        public Validity validateBaseType(MapperConfig<?> config, JavaType base) {
            return Validity.DENIED;
        }
    }

    private static final class SortingSets extends BeanSerializerModifier {

        private static final long serialVersionUID = 1L;

        private final transient ObjectMapper mapper;

        SortingSets(ObjectMapper mapper) {
            this.mapper = mapper;
        }

        @Override
        public JsonSerializer<?> modifyCollectionSerializer(
                SerializationConfig config,
                CollectionType type,
                BeanDescription description,
                JsonSerializer<?> serializer) {
            return Set.class.isAssignableFrom(type.getRawClass()) ? new SortedElements(mapper) : serializer;
        }
    }

    /** A serializer of sets, whose iteration order differs between processes. */
    private static final class SortedElements extends JsonSerializer<Set<?>> {

        private final ObjectMapper mapper;

        SortedElements(ObjectMapper mapper) {
            this.mapper = mapper;
        }

        @Override
        public void serialize(Set<?> set, JsonGenerator generator, SerializerProvider context) throws IOException {
            List<String> elements = set.stream().map(this::json).sorted().toList();
            generator.writeStartArray();
            for (String element : elements) {
                generator.writeRawValue(element);
            }
            generator.writeEndArray();
        }

        private String json(Object element) {
            try {
                return mapper.writeValueAsString(element);
            } catch (JsonProcessingException e) {
                throw invalid(e);
            }
        }
    }
}
