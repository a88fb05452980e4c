// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Operation.OtherVersions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of Semel in a Spring Boot application.
 *
 * @param store The store for records.
 * @param retention How long answers are replayed, counted from completion.
 * @param remembrance How long a key is refused as GONE after its retention.
 * @param lease How long a claim stays valid without a heartbeat, which renews it every third of this duration.
 * @param whenBusy How long a duplicate waits for the running call before it is refused as Busy.
 * @param whenAbandoned The policy for calls whose earlier holder fell silent.
 * @param maxAnswer The largest answer that is kept. Larger answers leave NOT_RETAINED for retries.
 * @param countEvery The shortest interval between two counts of the store's records for metrics.
 * @param version The version of the application, or of the format of its answers, stored with every answer.
 * @param answersOfOtherVersions The handling of answers that another version wrote.
 * @param problemDetails Whether controllers answer NotDone and similar exceptions with problem details: 409, 422, 410 or 503.
 */
@ConfigurationProperties("semel")
public record SemelProperties(
        @DefaultValue("auto") Kind store,
        @DefaultValue("24h") Duration retention,
        @DefaultValue("24h") Duration remembrance,
        @DefaultValue("30s") Duration lease,
        @DefaultValue("0s") Duration whenBusy,
        @DefaultValue("refuse") Abandoned whenAbandoned,
        @DefaultValue("1MB") DataSize maxAnswer,
        @DefaultValue("30s") Duration countEvery,
        @DefaultValue("true") boolean problemDetails,
        @DefaultValue("") String version,
        @DefaultValue("replay") OtherVersions answersOfOtherVersions,
        @DefaultValue Seal seal,
        @DefaultValue Fingerprints fingerprints,
        @DefaultValue Jdbc jdbc,
        @DefaultValue Redis redis,
        @DefaultValue Rocksdb rocksdb,
        @DefaultValue Memory memory,
        @DefaultValue Purge purge) {

    /** The kinds of stores. */
    public enum Kind {
        /** The first available one of: database, Redis, RocksDB with a directory, memory. */
        AUTO,
        /** The database, in the transaction of the call. */
        JOINED,
        /** The database, in short transactions of its own. */
        JDBC,
        REDIS,
        ROCKSDB,
        MEMORY
    }

    /**
     * The encryption of answers, which are stored in the clear if there are no keys.
     *
     * @param keys The encryption keys by id, each 16, 24 or 32 bytes in Base64. All of them decrypt.
     * @param writing The id of the key that encrypts new answers; required with several keys.
     */
    public record Seal(
            @DefaultValue Map<String, String> keys,
            @Nullable String writing) {

        /** Without the keys, which do not belong in messages. */
        @Override
        public String toString() {
            return "Seal[keys=" + keys.keySet() + ", writing=" + writing + "]";
        }
    }

    /**
     * The fingerprints of calls.
     *
     * @param secret A secret of at least 16 bytes, in Base64, that makes stored fingerprints HMACs. Without it they are plain digests.
     */
    public record Fingerprints(@Nullable String secret) {

        /** Without the secret, which does not belong in messages. */
        @Override
        public String toString() {
            return "Fingerprints[" + (secret == null ? "plain" : "secret") + "]";
        }
    }

    /**
     * Settings of the stores in a database.
     *
     * @param initializeSchema Whether to create Semel's tables at start-up, for applications without migrations.
     * @param hideKeys Whether to store only the hashes of keys.
     */
    public record Jdbc(
            @DefaultValue("false") boolean initializeSchema,
            @DefaultValue("false") boolean hideKeys) {}

    /**
     * Settings of the store in Redis.
     *
     * @param prefix The prefix of the names of all records of this service.
     * @param timeout How long to wait for a reply before its outcome counts as unknown.
     * @param durable Whether to promise LEASED, and to refuse to start if the server's settings do not support it.
     * @param inFront Whether to cache answers in Redis in front of the database, which still decides.
     * @param freshFor How long a cached answer is used without asking the database again.
     */
    public record Redis(
            @DefaultValue("semel:") String prefix,
            @DefaultValue("3s") Duration timeout,
            @DefaultValue("false") boolean durable,
            @DefaultValue("false") boolean inFront,
            @DefaultValue("10m") Duration freshFor) {}

    /**
     * Settings of the embedded store.
     *
     * @param directory The directory of the store's files, for one process at a time. Without it the store is not selected automatically.
     */
    public record Rocksdb(@Nullable Path directory) {}

    /**
     * Settings of the store in memory.
     *
     * @param maxSize The largest size of the store. The default is a quarter of the heap.
     */
    public record Memory(@Nullable DataSize maxSize) {}

    /**
     * The purge of expired records, for stores that do not expire them by themselves.
     *
     * @param enabled Whether this application purges expired records.
     * @param interval The interval between purges. Each purge continues until no expired records are left.
     * @param batch The largest number of records to delete in one transaction.
     */
    public record Purge(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("10s") Duration interval,
            @DefaultValue("1000") int batch) {

        public Purge {
            if (interval.isNegative() || interval.isZero() || batch < 1) {
                throw new IllegalArgumentException(
                        "semel.purge requires an interval above zero and a batch of at least one, not " + interval
                                + " and " + batch + ". To disable purging, set semel.purge.enabled=false.");
            }
        }
    }
}
