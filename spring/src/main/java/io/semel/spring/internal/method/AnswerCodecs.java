// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Codec;
import io.semel.spring.internal.setup.InvalidSetup;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import org.springframework.core.ResolvableType;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;

/** The codecs of the answers that methods return. */
final class AnswerCodecs {

    private final JsonMapper mapper;

    AnswerCodecs(JsonMapper applications) {
        this.mapper = applications
                .rebuild()
                .deactivateDefaultTyping()
                .polymorphicTypeValidator(new NoClassNames())
                .build();
    }

    Codec<Optional<Object>> codec(Method method, ResolvableType type) {
        Class<?> raw = type.resolve();
        if (raw == void.class || raw == Void.class) {
            return new Nothing();
        }
        return new JsonCodec(mapper.writer(), mapper.reader(), javaType(method, type));
    }

    private JavaType javaType(Method method, ResolvableType type) {
        Class<?> raw = type.resolve();
        if (raw == null || raw == Object.class) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method) + " returns " + method.getGenericReturnType()
                            + "; a stored answer cannot be read as " + type + ".",
                    "Declare a concrete type, such as a record.");
        }
        if (type.isArray()) {
            return mapper.getTypeFactory().constructArrayType(javaType(method, type.getComponentType()));
        }
        ResolvableType[] generics = type.getGenerics();
        if (generics.length == 0) {
            return mapper.constructType(raw);
        }
        JavaType[] inner = Arrays.stream(generics)
                .map(generic -> javaType(method, generic))
                .toArray(JavaType[]::new);
        return mapper.getTypeFactory().constructParametricType(raw, inner);
    }

    private static final class Nothing implements Codec<Optional<Object>> {

        @Override
        public String form() {
            return "nothing";
        }

        @Override
        public byte[] encode(Optional<Object> value) {
            return new byte[0];
        }

        @Override
        public Optional<Object> decode(byte[] bytes) {
            return Optional.empty();
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
}
