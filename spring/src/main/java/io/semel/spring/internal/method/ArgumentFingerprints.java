// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Fingerprint;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.type.CollectionType;

/** The fingerprints of arguments: digests of JSON in which properties, entries and the elements of sets are sorted. */
final class ArgumentFingerprints {

    private final JsonMapper mapper;

    ArgumentFingerprints(JsonMapper applications) {
        SortingSets sorting = new SortingSets(applications);
        this.mapper = applications
                .rebuild()
                .deactivateDefaultTyping()
                .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .disable(SerializationFeature.INDENT_OUTPUT)
                .addModule(new SimpleModule().setSerializerModifier(sorting))
                .build();
        sorting.mapper = mapper;
    }

    Fingerprint of(Method method, @Nullable Object[] arguments) {
        return print(method, Arrays.asList(arguments));
    }

    Fingerprint of(Method method, @Nullable Object value) {
        return print(method, java.util.Collections.singletonList(value));
    }

    private Fingerprint print(Method method, List<@Nullable Object> values) {
        try {
            return Fingerprint.of(mapper.writeValueAsBytes(values));
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "The arguments of " + IdempotentMethods.name(method)
                            + " cannot be compared, because they cannot be written as JSON: " + e.getOriginalMessage()
                            + ". Choose what to compare with @Idempotent(fingerprint = \"…\"). The method was not"
                            + " executed.",
                    e);
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
