// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Level;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A bean's method whose effect lands once per key: a retry gets the first answer and does not run it.
 *
 * <p>Returning records the answer, throwing forgets. What is not done now is thrown as {@link io.semel.NotDone}, which carries the
 * outcome. Spans are written like {@code 30s}, {@code 24h} or {@code P2D}, and may be placeholders. Whatever is left out comes
 * from the properties {@code semel.*}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Idempotent {

    /**
     * The name of the operation, which keys, metrics and events carry; unique in the application. By default the class and the
     * method: give one before you rename either, because keys under another name are other keys.
     */
    String operation() default "";

    /**
     * An expression over the arguments, such as {@code #order.id} or, for a key of several parts, <code>{#tenant, #id}</code>. By
     * default the parameter with {@link IdempotencyKey}, or the only parameter.
     */
    String key() default "";

    /** An expression for who may share keys, such as the tenant or the principal; by default everybody. */
    String scope() default "";

    /**
     * An expression for what makes two calls with one key the same; by default all arguments, as JSON. With {@code ''} nothing but
     * the key is compared.
     */
    String fingerprint() default "";

    /** The level that is demanded, at most one; start-up fails where the store cannot give it. By default what the store gives. */
    Level[] level() default {};

    /** How long the answer is replayed, from completion; {@code forever} has no end. */
    String retention() default "";

    /** How much longer the key is refused as GONE; {@code forever} has no end. */
    String remembrance() default "";

    /** How long a silent holder is believed. */
    String lease() default "";

    /** How long a duplicate waits for the running call before it is told Busy. */
    String whenBusy() default "";

    /** What becomes of a call whose earlier holder fell silent, at most one. */
    Abandoned[] whenAbandoned() default {};

    /**
     * Instead of {@link #whenAbandoned}: the name of a method of the same bean, with the same parameters, that finds out whether
     * a call happened whose earlier holder fell silent. It gives an {@code Optional} of the answer, empty if it did not happen and
     * may run; for a method that returns nothing, {@code boolean}. While it throws, nobody knows, and the next call asks again.
     */
    String reconcile() default "";

    /**
     * Exceptions that are answers: they are recorded by their short name and message, and thrown again at retries. Each needs a
     * constructor with the message alone, or without arguments. A subclass comes back as the nearest class in this list.
     */
    Class<? extends Exception>[] recordExceptions() default {};
}
