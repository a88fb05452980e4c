// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.http;

import io.semel.Level;
import io.semel.spring.Idempotent;
import io.semel.spring.internal.method.IdempotentMethods;
import io.semel.spring.internal.method.OperationSettings;
import io.semel.spring.internal.setup.InvalidSetup;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;

/** An HTTP handler that is marked with {@link Idempotent}; it refuses attributes that HTTP requests have other rules for. */
public record IdempotentRoute(Method method, Class<?> type, Idempotent mark) {

    private static final Set<String> WRITING = Set.of("POST", "PUT", "PATCH", "DELETE");

    public static @Nullable IdempotentRoute of(Method method, Class<?> type) {
        return IdempotentMethods.isRoute(method, type)
                ? new IdempotentRoute(method, type, IdempotentMethods.markOf(method))
                : null;
    }

    /** Whether the handler is mapped as one that answers with a stream of events, or gives nothing but events. */
    public static boolean producesEvents(Method method) {
        RequestMapping mapping = AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
        Class<?> element =
                ResolvableType.forMethodReturnType(method).getGeneric().toClass();
        return (mapping != null && List.of(mapping.produces()).contains(MediaType.TEXT_EVENT_STREAM_VALUE))
                || element == ServerSentEvent.class;
    }

    public void check() {
        boolean more = !mark.scope().isEmpty()
                || !mark.fingerprint().isEmpty()
                || !mark.reconcile().isEmpty()
                || mark.recordExceptions().length > 0;
        if (more) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method)
                            + " handles HTTP requests: its scope is the caller, its fingerprint is the request, and its"
                            + " exceptions are recorded as the responses that are made of them.",
                    "Remove scope, fingerprint, reconcile and recordExceptions; see the properties under semel.http.");
        }
        if (mark.level().length > 1) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method) + " demands several levels.", "Demand only the highest.");
        }
        RequestMapping mapping = AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
        if (mapping != null && mapping.params().length > 0) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method)
                            + " is mapped by parameters, which are not known before the body is read.",
                    "Map it by its path.");
        }
    }

    public InvalidSetup refusedStream() {
        return new InvalidSetup(
                IdempotentMethods.name(method) + " answers with a stream of events, which cannot be recorded.",
                "Remove @Idempotent, or set semel.http.streaming=pass.");
    }

    public String name(OperationSettings spans) {
        String given = mark.operation();
        return given.isEmpty()
                ? type.getName() + "." + method.getName()
                : spans.placeholders().apply(given);
    }

    @Nullable
    public Level level() {
        return mark.level().length == 0 ? null : mark.level()[0];
    }

    /** The HTTP methods with an effect that it is mapped to. */
    public String[] methods() {
        Set<String> methods = new LinkedHashSet<>();
        add(methods, AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class));
        add(methods, AnnotatedElementUtils.findMergedAnnotation(type, RequestMapping.class));
        if (methods.isEmpty()) {
            return WRITING.toArray(String[]::new);
        }
        methods.retainAll(WRITING);
        if (methods.isEmpty()) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method)
                            + " is mapped only to methods that change nothing; those take no keys.",
                    "Remove @Idempotent, or map it to POST, PUT, PATCH or DELETE.");
        }
        return methods.toArray(String[]::new);
    }

    private static void add(Set<String> methods, @Nullable RequestMapping mapping) {
        if (mapping != null) {
            for (RequestMethod each : mapping.method()) {
                methods.add(each.name());
            }
        }
    }
}
