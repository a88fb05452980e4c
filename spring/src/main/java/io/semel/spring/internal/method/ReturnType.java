// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Codec;
import io.semel.spring.internal.setup.InvalidSetup;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** The return type of a method: the answer itself, or a future or publisher of it. */
final class ReturnType {

    private static final String MONO = "reactor.core.publisher.Mono";
    private static final String FLUX = "reactor.core.publisher.Flux";
    private static final String PUBLISHER = "org.reactivestreams.Publisher";
    private static final ClassLoader LOADER = ReturnType.class.getClassLoader();

    private final Method method;
    private final ResolvableType type;
    private final Class<?> raw;

    ReturnType(Method method, Class<?> target) {
        this.method = method;
        this.type = ResolvableType.forMethodReturnType(method, target);
        this.raw = type.toClass();
    }

    /** Whether the method may return before its work has ended. */
    boolean isLater() {
        return Future.class.isAssignableFrom(raw) || CompletionStage.class.isAssignableFrom(raw) || isPublisher();
    }

    private boolean isPublisher() {
        return ClassUtils.isPresent(PUBLISHER, LOADER)
                && ClassUtils.resolveClassName(PUBLISHER, LOADER).isAssignableFrom(raw);
    }

    Codec<Optional<Object>> codec(AnswerCodecs answers) {
        return answers.codec(method, answer());
    }

    /** The type of the answer that is recorded. */
    ResolvableType answer() {
        ResolvableType element = isLater() ? type.getGeneric(0) : type;
        return is(FLUX) ? ResolvableType.forClassWithGenerics(List.class, element) : element;
    }

    InvocationStyle later(Executor threads, @Nullable DataSource database, boolean transactional) {
        if (raw == CompletionStage.class || raw == CompletableFuture.class) {
            return new FutureInvocation(threads, database, transactional);
        }
        if (is(MONO) || is(FLUX)) {
            return ReactiveInvocation.of(is(FLUX));
        }
        throw new InvalidSetup(
                IdempotentMethods.name(method) + " returns a " + raw.getName()
                        + ", whose completion cannot be awaited.",
                "Return CompletableFuture, CompletionStage, Mono or Flux.");
    }

    private boolean is(String name) {
        return raw.getName().equals(name);
    }

    @Override
    public String toString() {
        return raw.getSimpleName();
    }
}
