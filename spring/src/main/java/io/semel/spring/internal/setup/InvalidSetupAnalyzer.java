// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.setup;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The failure analyzer that shows an {@link InvalidSetup} as Boot shows failures: the problem and the action. */
public final class InvalidSetupAnalyzer extends AbstractFailureAnalyzer<InvalidSetup> {

    @Override
    protected FailureAnalysis analyze(Throwable root, InvalidSetup failure) {
        return new FailureAnalysis(failure.problem(), failure.action(), failure);
    }
}
