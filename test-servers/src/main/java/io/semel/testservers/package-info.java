// SPDX-License-Identifier: Apache-2.0
/** Real servers for tests, started by the JVM that uses them and gone when it is, however it ends. */
@NullMarked
package io.semel.testservers;

import org.jspecify.annotations.NullMarked;
