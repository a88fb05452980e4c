// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

/** Turns the stored answer into what a retry gets: the current state instead of the first one, or a refusal for one who lost the right. */
@FunctionalInterface
public interface ReplayRenderer {

    Answer render(Answer stored, Request request);
}
