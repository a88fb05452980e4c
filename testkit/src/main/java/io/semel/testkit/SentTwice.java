// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test of a service that takes a {@link Sender} and runs once for every {@link Way} in which a request can arrive more
 * than once: again, at once, while the store is down, and after a crash at each point.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@TestTemplate
@ExtendWith(SentTwiceExtension.class)
public @interface SentTwice {

    /** The ways to send; all of them where none is named. */
    Way[] value() default {};
}
