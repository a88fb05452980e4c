// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

/** What the outside world does with repeated effects. */
enum Downstream {
    /** Each counts. */
    PLAIN,
    /** It refuses fences lower than the highest it has seen. */
    FENCED,
    /** It knows the derived key, and answers a repeat with the first value. */
    KEYED
}
