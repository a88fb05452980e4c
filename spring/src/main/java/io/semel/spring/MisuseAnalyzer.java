// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a {@link Misuse} as Boot shows failures: what is wrong, and what to do. */
final class MisuseAnalyzer extends AbstractFailureAnalyzer<Misuse> {

    @Override
    protected FailureAnalysis analyze(Throwable root, Misuse misuse) {
        return new FailureAnalysis(misuse.what(), misuse.action(), misuse);
    }
}
