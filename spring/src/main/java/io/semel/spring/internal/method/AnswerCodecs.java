// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Codec;
import io.semel.spring.internal.json.Json;
import io.semel.spring.internal.setup.InvalidSetup;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** The codecs of the answers that methods return. */
record AnswerCodecs(Json json) {

    Codec<Optional<Object>> codec(Method method, ResolvableType type) {
        Class<?> raw = type.resolve();
        return raw == void.class || raw == Void.class ? new Nothing() : json.codec(concrete(method, type));
    }

    /** With what the class of the bean says about type variables. */
    private static Type concrete(Method method, ResolvableType type) {
        Class<?> raw = type.resolve();
        if (raw == null || raw == Object.class) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method) + " returns " + method.getGenericReturnType()
                            + "; a stored answer cannot be read as " + type + ".",
                    "Declare a concrete type, such as a record.");
        }
        if (type.isArray()) {
            return new ArrayOf(concrete(method, type.getComponentType()));
        }
        ResolvableType[] generics = type.getGenerics();
        return generics.length == 0
                ? raw
                : new Generic(
                        raw,
                        Arrays.stream(generics)
                                .map(generic -> concrete(method, generic))
                                .toArray(Type[]::new));
    }

    private record ArrayOf(Type getGenericComponentType) implements GenericArrayType {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Generic(Class<?> getRawType, Type[] getActualTypeArguments) implements ParameterizedType {

        @Override
        public @Nullable Type getOwnerType() {
            return getRawType.getDeclaringClass();
        }
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
}
