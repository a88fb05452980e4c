// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

/**
 * Turns the stored answer into what a retry gets: the current state instead of the first one, a refusal for one who lost the right, or
 * the shape that answers have by now, going by the {@link Answer#version} that wrote it. For an answer that it cannot bring into that
 * shape it throws {@link io.semel.UnreadableAnswer}: the retry is told that it was carried out and its answer is not available.
 * Anything else that it throws reaches the server, and the next retry asks it again.
 */
@FunctionalInterface
public interface ReplayRenderer {

    Answer render(Answer stored, Request request);
}
