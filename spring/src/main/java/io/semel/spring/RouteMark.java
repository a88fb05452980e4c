// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Level;
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

/** What {@link Idempotent} on a handler of HTTP requests says; refuses what an HTTP key has other rules for. */
record RouteMark(Method method, Class<?> type, Idempotent mark) {

    private static final Set<String> WRITING = Set.of("POST", "PUT", "PATCH", "DELETE");

    static @Nullable RouteMark of(Method method, Class<?> type) {
        return Methods.isRoute(method, type) ? new RouteMark(method, type, Methods.markOf(method)) : null;
    }

    /** Whether the handler is mapped as one that answers with a stream of events, or gives nothing but events. */
    static boolean saysEvents(Method method) {
        RequestMapping mapping = AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
        Class<?> element =
                ResolvableType.forMethodReturnType(method).getGeneric().toClass();
        return (mapping != null && List.of(mapping.produces()).contains(MediaType.TEXT_EVENT_STREAM_VALUE))
                || element == ServerSentEvent.class;
    }

    void check() {
        boolean more = !mark.scope().isEmpty()
                || !mark.fingerprint().isEmpty()
                || !mark.reconcile().isEmpty()
                || mark.recordExceptions().length > 0;
        if (more) {
            throw new Misuse(
                    Methods.name(method)
                            + " is a handler of HTTP requests, whose scope is the caller, whose fingerprint"
                            + " is the request, and whose exceptions are recorded as the answers that are made of them.",
                    "Take scope, fingerprint, reconcile and recordExceptions away; properties under semel.http say more.");
        }
        if (mark.level().length > 1) {
            throw new Misuse(Methods.name(method) + " demands several levels.", "Demand the highest of them.");
        }
        RequestMapping mapping = AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
        if (mapping != null && mapping.params().length > 0) {
            throw new Misuse(
                    Methods.name(method)
                            + " is mapped by parameters, which cannot be asked for before the body is read.",
                    "Map it by its path.");
        }
    }

    Misuse refusedStream() {
        return new Misuse(
                Methods.name(method) + " answers with a stream of events, which cannot be recorded.",
                "Take @Idempotent away, or set semel.http.streaming=pass.");
    }

    String name(Spans spans) {
        String given = mark.operation();
        return given.isEmpty()
                ? type.getName() + "." + method.getName()
                : spans.placeholders().apply(given);
    }

    @Nullable
    Level level() {
        return mark.level().length == 0 ? null : mark.level()[0];
    }

    /** The methods that it is mapped to and that may change something. */
    String[] methods() {
        Set<String> methods = new LinkedHashSet<>();
        add(methods, AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class));
        add(methods, AnnotatedElementUtils.findMergedAnnotation(type, RequestMapping.class));
        if (methods.isEmpty()) {
            return WRITING.toArray(String[]::new);
        }
        methods.retainAll(WRITING);
        if (methods.isEmpty()) {
            throw new Misuse(
                    Methods.name(method) + " is mapped to methods that change nothing, which take no keys.",
                    "Take @Idempotent away, or map it to POST, PUT, PATCH or DELETE.");
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
