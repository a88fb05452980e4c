// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Purgeable;
import io.semel.store.Settlement;
import io.semel.store.Settlement.Complete;
import io.semel.store.Settlement.Renew;
import io.semel.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store that keeps the laws, made of small steps so that a wrong store can get any one of them wrong. */
class PlainStore implements Store, Purgeable {

    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    final Backend backend = Backend.opening();
    final int handle = ++backend.handles;
    boolean failing;

    @Override
    public Level level() {
        return Level.LEASED;
    }

    @Override
    public Instant now() {
        return EPOCH.plusNanos(nanos());
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        check(holder, lease);
        backend.demand(call.key(), holder);
        failIfFailing();
        awaitTurn(call.key());
        synchronized (backend) {
            Object at = at(call.key());
            Row row = find(at);
            if (row == null) {
                return open(at, call, holder, lease);
            }
            if (row.settled) {
                return replay(row, call);
            }
            if (isHolder(row, holder)) {
                return repeat(row, call, lease);
            }
            return isLapsed(row) && isSame(row, call) ? takeOver(row, call, holder, lease) : refuse(row, call);
        }
    }

    void awaitTurn(Key key) {
        backend.awaitUnblocked(key);
    }

    void check(String holder, Duration lease) {
        Claiming.check(holder, lease);
    }

    Claim open(Object at, Call call, String holder, Duration lease) {
        Row row = new Row(call.key(), call.fingerprint(), keepHolder(holder));
        row.fence = nextFence(at, 0);
        row.since = nanos();
        row.until = endOfLease(lease, call);
        write(at, row);
        return granted(row);
    }

    Claim takeOver(Row row, Call call, String holder, Duration lease) {
        row.holder = keepHolder(holder);
        row.fence = nextFence(at(row.key), row.fence);
        row.attempts++;
        row.since = nanos();
        row.until = endOfLease(lease, call);
        write(at(row.key), row);
        return granted(row);
    }

    Claim repeat(Row row, Call call, Duration lease) {
        row.until = endOfLease(lease, call);
        write(at(row.key), row);
        return granted(row);
    }

    Claim granted(Row row) {
        return new Claim.Granted(row.fence, row.attempts > 1);
    }

    Claim refuse(Row row, Call call) {
        return tell(row);
    }

    Claim replay(Row row, Call call) {
        return tell(row);
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        failIfFailing();
        awaitTurn(key);
        synchronized (backend) {
            Row row = find(at(key));
            if (row == null || row.settled || !isHolder(row, holder) || !isFence(row, fence)) {
                return refuseToSettle(key, row, holder, settlement);
            }
            apply(row, settlement);
            return true;
        }
    }

    boolean refuseToSettle(Key key, @Nullable Row row, String holder, Settlement settlement) {
        return false;
    }

    void apply(Row row, Settlement settlement) {
        if (settlement instanceof Complete complete) {
            complete(row, complete);
        } else if (settlement instanceof Renew renew) {
            renew(row, renew.lease());
        } else {
            release(row);
        }
    }

    void complete(Row row, Complete complete) {
        row.settled = true;
        row.result = keepResult(complete.result());
        row.since = nanos();
        row.until = later(row.since, complete.retention().retention());
        row.forget = later(row.until, complete.retention().remembrance());
        write(at(row.key), row);
    }

    void renew(Row row, Duration lease) {
        row.until = later(nanos(), lease);
        write(at(row.key), row);
    }

    void release(Row row) {
        remove(at(row.key));
    }

    @Override
    public Optional<Claim> peek(Key key) {
        failIfFailing();
        awaitTurn(key);
        synchronized (backend) {
            return Optional.ofNullable(find(at(key))).map(this::tell);
        }
    }

    @Override
    public int purge(int limit) {
        synchronized (backend) {
            int purged = 0;
            for (Object at : new ArrayList<>(backend.rows.keySet())) {
                if (purged < limit && isDue(Objects.requireNonNull(backend.rows.get(at)))) {
                    expire(at);
                    purged++;
                }
            }
            return purged;
        }
    }

    boolean isDue(Row row) {
        return row.settled && (row.result == null ? row.forget : row.until) <= nanos();
    }

    /** The row, without what is over. */
    @Nullable
    Row find(Object at) {
        Row row = backend.rows.get(at);
        return row == null ? null : expire(at);
    }

    @Nullable
    Row expire(Object at) {
        Row row = Objects.requireNonNull(backend.rows.get(at));
        if (row.settled && row.forget <= nanos()) {
            remove(at);
            return null;
        }
        if (row.settled && row.until <= nanos()) {
            row.result = null;
            write(at, row);
        }
        return row;
    }

    Claim tell(Row row) {
        if (!row.settled) {
            return new Claim.Held(row.fingerprint, left(row.until));
        }
        byte[] result = row.result == null ? null : showResult(row.result);
        return new Claim.Settled(row.fingerprint, result, left(result == null ? row.forget : row.until));
    }

    void failIfFailing() {
        if (failing) {
            throw StoreException.changedNothing("This handle has no backend.", null);
        }
    }

    /** What a key is known by. */
    Object at(Key key) {
        return key;
    }

    String keepHolder(String holder) {
        return holder;
    }

    boolean isFence(Row row, long fence) {
        return row.fence == fence;
    }

    boolean isHolder(Row row, String holder) {
        return row.holder.equals(holder);
    }

    boolean isLapsed(Row row) {
        return row.until <= nanos();
    }

    boolean isSame(Row row, Call call) {
        return row.fingerprint.equals(call.fingerprint());
    }

    long nextFence(Object at, long last) {
        return ++backend.fence;
    }

    long endOfLease(Duration lease, Call call) {
        return later(nanos(), lease);
    }

    byte[] keepResult(byte[] result) {
        return result.clone();
    }

    byte[] showResult(byte[] result) {
        return result.clone();
    }

    long nanos() {
        return backend.time.nanos();
    }

    Duration left(long until) {
        return until == Long.MAX_VALUE ? Retention.FOREVER : Duration.ofNanos(Math.max(0, until - nanos()));
    }

    long later(long from, Duration span) {
        return from == Long.MAX_VALUE || span.equals(Retention.FOREVER) ? Long.MAX_VALUE : from + span.toNanos();
    }

    void write(Object at, Row row) {
        backend.rows.put(at, row);
        backend.disk.put(at, row.clone());
        backend.fenceOnDisk = backend.fence;
    }

    void remove(Object at) {
        backend.rows.remove(at);
        backend.disk.remove(at);
        backend.fenceOnDisk = backend.fence;
    }
}
