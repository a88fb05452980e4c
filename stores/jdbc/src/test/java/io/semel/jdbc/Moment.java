// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

/** When a fault strikes. */
enum Moment {
    /** What was said does not get there. */
    BEFORE,
    /** It is obeyed, but the answer does not get back. */
    AFTER
}
