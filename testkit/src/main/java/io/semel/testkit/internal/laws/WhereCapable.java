// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test that exists only for stores with the capability that it takes as a parameter. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@TestTemplate
@ExtendWith(Capabilities.class)
public @interface WhereCapable {}
