// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Level;
import io.semel.http.KeyDialect;
import io.semel.http.KeyUse;
import io.semel.http.StatusPolicy.Keep;
import io.semel.http.Streaming;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings for HTTP requests with an idempotency key.
 *
 * @param enabled Whether requests are guarded at all.
 * @param order The place of the filter: behind every filter with a lower order, such as Spring Security's.
 * @param paths Patterns of the paths whose requests may have keys; handlers with @Idempotent take part wherever they are.
 * @param methods The methods that take part.
 * @param keys Whether a key is required, optional, ignored or rejected; handlers with @Idempotent require one.
 * @param headers The names under which keys arrive.
 * @param dialect How keys are spelled.
 * @param longestKey The most characters of a key.
 * @param namespace The first part of every scope, to keep services apart that share a store.
 * @param anonymous Whether callers without a name may use keys, which they share; by default only without Spring Security.
 * @param tenantHeader The header that names the caller's tenant, as part of the scope.
 * @param bodies How the bodies of two requests with one key are compared.
 * @param ignoredMembers JSON pointers of members that are not compared.
 * @param comparedHeaders Headers that must be equal in a retry.
 * @param largestBody The largest body of a request with a key.
 * @param mismatchStatus The status for a key that was used for another request.
 * @param serverErrors What becomes of the key after an answer from 500 on.
 * @param statuses What becomes of the key after an answer with this status.
 * @param replayedHeaders Headers to store and replay beside the standard ones.
 * @param failOpen Whether requests run unguarded while the store cannot be asked.
 * @param advertiseRetention Whether answers say how long they are replayed.
 * @param firstSentHeader The header in which clients say when they first sent a request.
 * @param problemBase What the names of problems are appended to.
 * @param level The level that is demanded; start-up fails where the store cannot give it.
 * @param retention As semel.retention, for requests.
 * @param remembrance As semel.remembrance, for requests.
 * @param lease As semel.lease, for requests.
 * @param whenBusy As semel.when-busy, for requests.
 * @param whenAbandoned As semel.when-abandoned, for requests.
 * @param maxAnswer As semel.max-answer, for requests.
 * @param streaming What becomes of answers that are streams of events.
 * @param inMemory How much of a body is held in memory; the rest goes to a temporary file.
 * @param largestAnswer The most that a handler may write.
 */
@ConfigurationProperties("semel.http")
public record SemelHttpProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("2147483547") int order,
        @DefaultValue("/**") List<String> paths,
        @DefaultValue({"POST", "PATCH"}) List<String> methods,
        @DefaultValue("optional") KeyUse keys,
        @DefaultValue("Idempotency-Key") List<String> headers,
        @DefaultValue("lenient") KeyDialect dialect,
        @DefaultValue("255") int longestKey,
        @DefaultValue("http") String namespace,
        @Nullable Boolean anonymous,
        @Nullable String tenantHeader,
        @DefaultValue("raw") Bodies bodies,
        @DefaultValue List<String> ignoredMembers,
        @DefaultValue List<String> comparedHeaders,
        @DefaultValue("10MB") DataSize largestBody,
        @DefaultValue("422") int mismatchStatus,
        @DefaultValue("forget") Keep serverErrors,
        @DefaultValue Map<Integer, Keep> statuses,
        @DefaultValue List<String> replayedHeaders,
        @DefaultValue("false") boolean failOpen,
        @DefaultValue("false") boolean advertiseRetention,
        @Nullable String firstSentHeader,
        @Nullable String problemBase,
        @Nullable Level level,
        @Nullable Duration retention,
        @Nullable Duration remembrance,
        @Nullable Duration lease,
        @Nullable Duration whenBusy,
        @Nullable Abandoned whenAbandoned,
        @Nullable DataSize maxAnswer,
        @DefaultValue("refuse") Streaming streaming,
        @DefaultValue("256KB") DataSize inMemory,
        @Nullable DataSize largestAnswer) {

    /** How bodies are compared. */
    public enum Bodies {
        /** Byte by byte. */
        RAW,
        /** JSON by its meaning, multipart part by part, the rest byte by byte. */
        MEANING,
        /** Not at all. */
        NONE
    }

    /** The general settings, with those for requests in their place. */
    SemelProperties over(SemelProperties general) {
        return new SemelProperties(
                general.store(),
                retention == null ? general.retention() : retention,
                remembrance == null ? general.remembrance() : remembrance,
                lease == null ? general.lease() : lease,
                whenBusy == null ? general.whenBusy() : whenBusy,
                whenAbandoned == null ? general.whenAbandoned() : whenAbandoned,
                maxAnswer == null ? general.maxAnswer() : maxAnswer,
                general.countEvery(),
                general.problemDetails(),
                general.version(),
                general.answersOfOtherVersions(),
                general.seal(),
                general.fingerprints(),
                general.jdbc(),
                general.redis(),
                general.rocksdb(),
                general.memory(),
                general.purge());
    }
}
