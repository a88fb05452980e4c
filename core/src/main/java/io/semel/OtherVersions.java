// SPDX-License-Identifier: Apache-2.0
package io.semel;

/** What an operation does with answers that another version of the application wrote. */
public enum OtherVersions {
    /** Replays them; the codec is told the version and may render them anew. */
    REPLAY,
    /** Refuses them as GONE: the call was done, and its answer is not given any more. */
    GONE
}
