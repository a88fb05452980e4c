// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The law that a test is about, by its number, or several of them. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Law {

    String[] value();
}
