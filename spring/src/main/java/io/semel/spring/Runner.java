// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Call;
import io.semel.Outcome;
import io.semel.Work;
import java.util.Optional;

/** Runs work once, with or without a transaction around it. */
interface Runner {

    Outcome<Optional<Object>> run(Plan plan, Call call, Work<Optional<Object>, Exception> work) throws Exception;
}
