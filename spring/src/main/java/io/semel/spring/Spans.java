// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Operation;
import io.semel.Retention;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.springframework.boot.convert.DurationStyle;

/** Reads the settings of one method, with those of the application where it says nothing. */
record Spans(SemelProperties settings, UnaryOperator<String> placeholders) {

    Operation operation(Method method, Idempotent mark, String name) {
        try {
            return named(name)
                    .lease(span(mark.lease(), settings.lease()))
                    .retention(
                            span(mark.retention(), settings.retention()),
                            span(mark.remembrance(), settings.remembrance()))
                    .waitWhenBusy(span(mark.whenBusy(), settings.whenBusy()))
                    .whenAbandoned(abandoned(mark).policy())
                    .keepAnswersUpTo(Math.toIntExact(settings.maxAnswer().toBytes()));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new Misuse(
                    "The settings of @Idempotent on " + Methods.name(method) + " cannot be kept: " + e.getMessage(),
                    "Change the annotation, or the property under semel that it takes its setting from.",
                    e);
        }
    }

    /** For what is not a method: the settings of the application. */
    Operation operation(String name) {
        return named(name)
                .lease(settings.lease())
                .retention(settings.retention(), settings.remembrance())
                .waitWhenBusy(settings.whenBusy())
                .whenAbandoned(settings.whenAbandoned().policy())
                .keepAnswersUpTo(Math.toIntExact(settings.maxAnswer().toBytes()));
    }

    private Operation named(String name) {
        return Operation.named(name)
                .version(settings.version())
                .answersOfOtherVersions(settings.answersOfOtherVersions());
    }

    /** For the log. */
    String saysAbandoned() {
        return settings.whenAbandoned() == Abandoned.RERUN
                ? " An abandoned request is run again."
                : " An abandoned request is refused as unknown until somebody resolves it.";
    }

    Abandoned abandoned(Idempotent mark) {
        if (mark.whenAbandoned().length > 1) {
            throw new IllegalArgumentException("whenAbandoned has more than one value.");
        }
        return mark.whenAbandoned().length == 0 ? settings.whenAbandoned() : mark.whenAbandoned()[0];
    }

    private Duration span(String text, Duration otherwise) {
        if (text.isEmpty()) {
            return otherwise;
        }
        String plain = placeholders.apply(text);
        return plain.equals("forever") ? Retention.FOREVER : DurationStyle.detectAndParse(plain);
    }
}
