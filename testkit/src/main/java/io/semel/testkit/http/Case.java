// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test of cases of the profile, by their numbers; it does not exist for a door that leaves it out. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@TestTemplate
@ExtendWith(CaseRuns.class)
@interface Case {

    int[] value();

    HttpSetting on() default HttpSetting.STANDARD;

    Where where() default Where.EVERYWHERE;

    /** At which levels a case makes sense. */
    enum Where {
        EVERYWHERE,
        /** In the transaction of the handler. */
        JOINED,
        /** Where a claim has a lease. */
        LEASED
    }
}
