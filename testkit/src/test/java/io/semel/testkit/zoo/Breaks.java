// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The law that a wrong store breaks, and for which it must be caught. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Breaks {

    String value();
}
