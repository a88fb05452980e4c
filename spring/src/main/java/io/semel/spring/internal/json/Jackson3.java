// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.json;

import io.semel.Codec;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.type.CollectionType;

/** JSON by Jackson 3; apart, because its classes may be missing. */
final class Jackson3 implements Json {

    private final JsonMapper answers;
    private final JsonMapper sorted;

    private Jackson3(JsonMapper applications) {
        this.answers = applications
                .rebuild()
                .deactivateDefaultTyping()
                .polymorphicTypeValidator(new NoClassNames())
                .build();
        SortingSets sorting = new SortingSets(applications);
        this.sorted = applications
                .rebuild()
                .deactivateDefaultTyping()
                .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .disable(SerializationFeature.INDENT_OUTPUT)
                .addModule(new SimpleModule().setSerializerModifier(sorting))
                .build();
        sorting.mapper = sorted;
    }

    static Optional<Json> of(ListableBeanFactory beans) {
        return Optional.ofNullable(beans.getBeanProvider(JsonMapper.class).getIfAvailable())
                .map(Jackson3::new);
    }

    static Json standard() {
        return new Jackson3(JsonMapper.builder().build());
    }

    @Override
    public Codec<Optional<Object>> codec(Type type) {
        JavaType java = answers.constructType(type);
        return new JsonCodec(
                new Mapping(answers.writer().forType(java), answers.reader().forType(java)));
    }

    @Override
    public byte[] sorted(List<@Nullable Object> values) {
        try {
            return sorted.writeValueAsBytes(values);
        } catch (JacksonException e) {
            throw invalid(e);
        }
    }

    @Override
    public boolean isNull(String text) {
        try {
            var json = JsonMapper.shared().readTree(text);
            if (json.isMissingNode()) {
                throw new InvalidJson("it is empty");
            }
            return json.isNull();
        } catch (JacksonException e) {
            throw invalid(e);
        }
    }

    private static InvalidJson invalid(JacksonException e) {
        return new InvalidJson(String.valueOf(e.getOriginalMessage()), e);
    }

    private record Mapping(ObjectWriter writer, ObjectReader reader) implements JsonCodec.Mapping {

        @Override
        public byte[] write(@Nullable Object value) {
            try {
                return writer.writeValueAsBytes(value);
            } catch (JacksonException e) {
                throw invalid(e);
            }
        }

        @Override
        public @Nullable Object read(byte[] json) {
            try {
                return reader.readValue(json);
            } catch (JacksonException e) {
                throw invalid(e);
            }
        }
    }

    /** A type that asks for class names in its JSON is refused when its codec is first used. */
    private static final class NoClassNames extends PolymorphicTypeValidator.Base {

        private static final long serialVersionUID = 1L;

        @Override
        public Validity validateBaseType(DatabindContext context, JavaType base) {
            return Validity.DENIED;
        }
    }

    private static final class SortingSets extends ValueSerializerModifier {

        private static final long serialVersionUID = 1L;

        /** The mapper that this belongs to, once it is built. */
        private volatile JsonMapper mapper;

        SortingSets(JsonMapper mapper) {
            this.mapper = mapper;
        }

        @Override
        public ValueSerializer<?> modifyCollectionSerializer(
                SerializationConfig config,
                CollectionType type,
                BeanDescription.Supplier description,
                ValueSerializer<?> serializer) {
            return Set.class.isAssignableFrom(type.getRawClass()) ? new SortedElements(this) : serializer;
        }
    }

    /** A serializer of sets, whose iteration order differs between processes. */
    private static final class SortedElements extends ValueSerializer<Set<?>> {

        private final SortingSets sets;

        SortedElements(SortingSets sets) {
            this.sets = sets;
        }

        @Override
        public void serialize(Set<?> set, JsonGenerator generator, SerializationContext context) {
            generator.writeStartArray();
            set.stream().map(sets.mapper::writeValueAsString).sorted().forEach(generator::writeRawValue);
            generator.writeEndArray();
        }
    }
}
