// SPDX-License-Identifier: Apache-2.0
package io.semel;

import org.jspecify.annotations.Nullable;

/** What is to happen once: returning records the answer, throwing forgets (but see {@link Rejection}). */
@FunctionalInterface
public interface Work<T extends @Nullable Object, E extends Exception> {

    T run(Attempt attempt) throws E;
}
