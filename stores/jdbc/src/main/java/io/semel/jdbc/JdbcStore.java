// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Claim;
import io.semel.Inspectable;
import io.semel.Key;
import io.semel.Level;
import io.semel.Purgeable;
import io.semel.Settlement;
import io.semel.Slot;
import io.semel.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Store} in a relational database that claims and settles in short transactions of its own.
 *
 * <p>What it acknowledges survives as far as the database's commits do: a server that does not sync them, or an H2 database
 * in memory, keeps less than LEASED says.
 */
public final class JdbcStore implements Store, Inspectable, Purgeable {

    private static final int MOST_AT_ONCE = 1000;

    private final Connections connections;
    private final Dialect dialect;
    private final Claims claims;
    private final Settles settles;
    private final Looks looks;
    private final Purge purge;

    private JdbcStore(DataSource source, Dialect dialect) {
        this.connections = new Connections(source, dialect);
        this.dialect = dialect;
        this.claims = Claims.of(dialect);
        this.settles = new Settles(dialect);
        this.looks = new Looks(dialect);
        this.purge = new Purge(dialect);
    }

    /** A store in the database behind the data source; refused if {@link Schema} has not been applied there. */
    public static JdbcStore on(DataSource source) {
        Dialect dialect = Schema.check(source);
        return new JdbcStore(source, dialect);
    }

    @Override
    public Level level() {
        return Level.LEASED;
    }

    @Override
    public Instant now() {
        long micros = connections.autocommitting("tell the time", looks::now);
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claims.Claiming claiming = Claims.Claiming.of(dialect, call, holder, lease);
        return connections.autocommitting("claim " + call.key(), connection -> claims.claim(connection, claiming));
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return connections.autocommitting(
                "settle " + key,
                connection -> settles.settle(connection, id(key), Claims.Claiming.token(holder), fence, settlement));
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return connections
                .autocommitting("look at " + key, connection -> looks.look(connection, id(key)))
                .map(Row::known);
    }

    @Override
    public Optional<Slot> look(Key key) {
        return connections
                .autocommitting("look at " + key, connection -> looks.look(connection, id(key)))
                .map(row -> row.slot(key));
    }

    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        return connections.autocommitting("list slots", connection -> looks.page(connection, view, cursor, limit));
    }

    @Override
    public Counts count() {
        return connections.autocommitting("count slots", looks::count);
    }

    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        if (verdict instanceof Settlement.Renew) {
            throw new IllegalArgumentException("A settled slot has no lease to renew; amend with Complete or Release.");
        }
        return connections.autocommitting(
                "amend " + key, connection -> settles.amend(connection, id(key), seen, verdict));
    }

    @Override
    public int purge(int limit) {
        int purged = 0;
        int batch;
        do {
            int most = Math.min(MOST_AT_ONCE, limit - purged);
            batch = connections.committing("purge", connection -> purge.purge(connection, most));
            purged += batch;
        } while (batch > 0 && purged < limit);
        return purged;
    }

    private Object id(Key key) {
        return dialect.binary16(key.hash());
    }
}
