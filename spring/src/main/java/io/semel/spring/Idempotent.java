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
 * A method of a bean whose effect happens once per key: a retry gets the first answer and does not run the method.
 *
 * <p>Returning records the answer, throwing forgets. A call without an answer throws {@link io.semel.NotDone}, which carries
 * the outcome. Durations are written like {@code 30s}, {@code 24h} or {@code P2D}, and may be placeholders. Omitted attributes come from
 * the properties {@code semel.*}.
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

    /** An expression for the scope of keys, such as the tenant or the principal; by default all callers share keys. */
    String scope() default "";

    /**
     * An expression for the values that two calls with one key must have in common; by default all arguments, as JSON. With
     * {@code ''} only the key is compared.
     */
    String fingerprint() default "";

    /** The required level, at most one; start-up fails if the store cannot provide it. The default is the store's own level. */
    Level[] level() default {};

    /** How long the answer is replayed, counted from completion, or {@code forever}. */
    String retention() default "";

    /** How long the key is refused as GONE after its retention, or {@code forever}. */
    String remembrance() default "";

    /** How long a claim stays valid without a heartbeat. */
    String lease() default "";

    /** How long a duplicate waits for the running call before it is refused as Busy. */
    String whenBusy() default "";

    /** The policy for a call whose earlier holder fell silent, at most one. */
    Abandoned[] whenAbandoned() default {};

    /**
     * Instead of {@link #whenAbandoned}: the name of a method of the same bean, with the same parameters, that determines
     * whether a call happened whose earlier holder fell silent. It returns an {@code Optional} of the answer, empty if the call did
     * not happen and may run; for a method that returns nothing, {@code boolean}. While it throws, the outcome is unknown, and the
     * next call asks again.
     */
    String reconcile() default "";

    /**
     * Exceptions that are answers: they are recorded by their short name and message, and thrown again for retries. Each needs a
     * constructor with only the message, or without arguments. A subclass comes back as the nearest class in this list.
     */
    Class<? extends Exception>[] recordExceptions() default {};
}
