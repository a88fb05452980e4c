// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.transaction;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Outcome;
import io.semel.Work;
import java.util.Optional;

/** The runner of one call, with or without a transaction around it. */
public interface CallRunner {

    Outcome<Optional<Object>> run(
            Engine engine, Codec<Optional<Object>> codec, Call call, Work<Optional<Object>, Exception> work)
            throws Exception;
}
