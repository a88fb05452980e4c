// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Operation;
import io.semel.Retention;
import io.semel.WhenAbandoned;
import io.semel.spring.Abandoned;
import io.semel.spring.Idempotent;
import io.semel.spring.SemelProperties;
import io.semel.spring.internal.setup.InvalidSetup;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.convert.DurationStyle;

/** The settings of operations: those of the annotation, and the application's where it is silent. */
public record OperationSettings(SemelProperties settings, UnaryOperator<String> placeholders) {

    public static OperationSettings of(SemelProperties settings, ConfigurableBeanFactory beans) {
        return new OperationSettings(settings, text -> String.valueOf(beans.resolveEmbeddedValue(text)));
    }

    public Operation operation(Method method, Idempotent mark, String name) {
        try {
            return named(name)
                    .lease(span(mark.lease(), settings.lease()))
                    .retention(
                            span(mark.retention(), settings.retention()),
                            span(mark.remembrance(), settings.remembrance()))
                    .waitWhenBusy(span(mark.whenBusy(), settings.whenBusy()))
                    .whenAbandoned(policy(abandoned(mark)))
                    .keepAnswersUpTo(Math.toIntExact(settings.maxAnswer().toBytes()));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new InvalidSetup(
                    "The settings of @Idempotent on " + IdempotentMethods.name(method) + " are invalid: "
                            + e.getMessage(),
                    "Change the annotation, or the property under semel that supplies the setting.",
                    e);
        }
    }

    /** An operation with the settings of the application. */
    public Operation operation(String name) {
        return named(name)
                .lease(settings.lease())
                .retention(settings.retention(), settings.remembrance())
                .waitWhenBusy(settings.whenBusy())
                .whenAbandoned(policy(settings.whenAbandoned()))
                .keepAnswersUpTo(Math.toIntExact(settings.maxAnswer().toBytes()));
    }

    private Operation named(String name) {
        return Operation.named(name)
                .version(settings.version())
                .answersOfOtherVersions(settings.answersOfOtherVersions());
    }

    /** For the log. */
    public String describeAbandoned() {
        return settings.whenAbandoned() == Abandoned.RERUN
                ? " Abandoned requests are executed again."
                : " Abandoned requests are refused as unknown until an operator resolves them.";
    }

    Abandoned abandoned(Idempotent mark) {
        if (mark.whenAbandoned().length > 1) {
            throw new IllegalArgumentException("whenAbandoned has more than one value.");
        }
        return mark.whenAbandoned().length == 0 ? settings.whenAbandoned() : mark.whenAbandoned()[0];
    }

    private static WhenAbandoned policy(Abandoned abandoned) {
        return switch (abandoned) {
            case RERUN -> WhenAbandoned.rerun();
            case REFUSE -> WhenAbandoned.refuse();
        };
    }

    private Duration span(String text, Duration otherwise) {
        if (text.isEmpty()) {
            return otherwise;
        }
        String plain = placeholders.apply(text);
        return plain.equals("forever") ? Retention.FOREVER : DurationStyle.detectAndParse(plain);
    }
}
