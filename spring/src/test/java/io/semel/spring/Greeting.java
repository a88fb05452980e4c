// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

/** A method that is marked only in the interface. */
interface Greeting {

    @Idempotent(operation = "greet")
    String greet(String name);
}
