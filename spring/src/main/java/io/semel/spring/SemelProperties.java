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
 * @param store Where records are kept.
 * @param retention How long answers are replayed, from completion.
 * @param remembrance How much longer a key is refused as GONE.
 * @param lease How long a silent holder is believed; a heartbeat renews it every third of that.
 * @param whenBusy How long a duplicate waits for the running call before it is told Busy.
 * @param whenAbandoned What becomes of a call whose earlier holder fell silent.
 * @param maxAnswer The largest answer to keep; a larger one leaves NOT_RETAINED for retries.
 * @param countEvery How often metrics may have the store count its records.
 * @param version The version of the application, or of the shape of its answers, which is stored with every answer.
 * @param answersOfOtherVersions What becomes of answers that another version wrote.
 * @param problemDetails Whether NotDone and the like become 409, 422, 410 or 503 with problem details in controllers.
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

    /** Which store. */
    public enum Kind {
        /** The first that there is of: database, Redis, RocksDB with a directory, memory. */
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
     * With what answers are encrypted; in the clear where there are no keys.
     *
     * @param keys The keys by their ids, each 16, 24 or 32 bytes in Base64. All of them read.
     * @param writing The id of the key that new answers are written with; needed where there are several.
     */
    public record Seal(
            @DefaultValue Map<String, String> keys,
            @Nullable String writing) {

        /** Without the keys, which do not belong into messages. */
        @Override
        public String toString() {
            return "Seal[keys=" + keys.keySet() + ", writing=" + writing + "]";
        }
    }

    /**
     * How what was asked is compared.
     *
     * @param secret A secret of at least 16 bytes, in Base64, under which fingerprints are stored; without one they are plain.
     */
    public record Fingerprints(@Nullable String secret) {

        /** Without the secret, which does not belong into messages. */
        @Override
        public String toString() {
            return "Fingerprints[" + (secret == null ? "plain" : "secret") + "]";
        }
    }

    /**
     * Settings of the stores in a database.
     *
     * @param initializeSchema Whether to create Semel's table at start-up, where no migration does.
     * @param hideKeys Whether to keep of keys only their hash.
     */
    public record Jdbc(
            @DefaultValue("false") boolean initializeSchema,
            @DefaultValue("false") boolean hideKeys) {}

    /**
     * Settings of the store in Redis.
     *
     * @param prefix What the names of this service's records begin with.
     * @param timeout How long an answer is waited for before the outcome counts as unknown.
     * @param durable Whether to promise LEASED, and to refuse to start where the server's settings do not give it.
     * @param inFront Whether to keep answers in Redis in front of the database, which goes on deciding.
     * @param freshFor How long an answer in front of the database is given without asking it again.
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
     * @param directory Where its files are; one process at a time. Without one it is not chosen by itself.
     */
    public record Rocksdb(@Nullable Path directory) {}

    /**
     * Settings of the store in memory.
     *
     * @param maxSize The most that it takes; a quarter of the heap where nothing is said.
     */
    public record Memory(@Nullable DataSize maxSize) {}

    /**
     * When expired records are dropped, for stores that have to be told.
     *
     * @param enabled Whether this application does it.
     * @param interval How often to look for expired records. Each look goes on until none are left.
     * @param batch The most records to drop in one transaction.
     */
    public record Purge(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("10s") Duration interval,
            @DefaultValue("1000") int batch) {

        public Purge {
            if (interval.isNegative() || interval.isZero() || batch < 1) {
                throw new IllegalArgumentException(
                        "semel.purge needs an interval above zero and a batch of at least one," + " not " + interval
                                + " and " + batch + ". To switch it off, set semel.purge.enabled=false.");
            }
        }
    }
}
