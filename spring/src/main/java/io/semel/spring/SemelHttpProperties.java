// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Level;
import io.semel.http.HeaderNames;
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
 * @param enabled Whether requests may carry idempotency keys.
 * @param order The order of the filter. It follows every filter with a lower order, such as Spring Security's.
 * @param paths Patterns of the paths whose requests may carry keys. Handlers with @Idempotent always take part.
 * @param methods The HTTP methods whose requests may carry keys.
 * @param keys Whether a key is required, optional, ignored or rejected. Handlers with @Idempotent require one.
 * @param headers The names of the headers that carry keys.
 * @param dialect The syntax of keys.
 * @param longestKey The largest number of characters in a key.
 * @param namespace The first part of every scope, which separates services that share a store.
 * @param anonymous Whether callers without a principal may use keys, which they share. The default is true only without Spring Security.
 * @param tenantHeader The header that names the caller's tenant, which becomes part of the scope.
 * @param bodies How the bodies of two requests with one key are compared.
 * @param ignoredMembers JSON pointers of members to ignore in comparisons.
 * @param comparedHeaders Headers that must be equal in a retry.
 * @param largestBody The largest body of a request with a key.
 * @param mismatchStatus The status for a key that was used for a different request.
 * @param serverErrors The handling of the key after an answer with status 500 or above.
 * @param statuses The handling of the key by the status of the answer.
 * @param replayedHeaders Headers to store and replay in addition to the standard ones.
 * @param failOpen Whether requests are executed unprotected while no connection to the store can be opened.
 * @param advertiseRetention Whether answers state how long they are replayed.
 * @param firstSentHeader The header in which clients state when they first sent a request.
 * @param problemBase The base URI of problem types.
 * @param level The required level. The application does not start if the store cannot provide it.
 * @param retention The retention of requests. The default is semel.retention.
 * @param remembrance The remembrance of requests. The default is semel.remembrance.
 * @param lease The lease of requests. The default is semel.lease.
 * @param whenBusy How long a duplicate request waits. The default is semel.when-busy.
 * @param whenAbandoned The policy for abandoned requests. The default is semel.when-abandoned.
 * @param maxAnswer The largest answer to a request that is kept. The default is semel.max-answer.
 * @param streaming The handling of answers that are streams of events.
 * @param inMemory The largest part of a body to hold in memory. The rest is written to a temporary file.
 * @param largestAnswer The largest answer that a handler may write.
 */
@ConfigurationProperties("semel.http")
public record SemelHttpProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("2147483547") int order,
        @DefaultValue("/**") List<String> paths,
        @DefaultValue({"POST", "PATCH"}) List<String> methods,
        @DefaultValue("optional") KeyUse keys,
        @DefaultValue(HeaderNames.KEY) List<String> headers,
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

    /** The comparisons of bodies. */
    public enum Bodies {
        /** Byte by byte. */
        RAW,
        /** JSON by its meaning, multipart bodies part by part, all others byte by byte. */
        MEANING,
        /** Not at all. */
        NONE
    }

    /** The general settings, overridden by those for requests. */
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
