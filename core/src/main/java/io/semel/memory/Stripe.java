// SPDX-License-Identifier: Apache-2.0
package io.semel.memory;

import io.semel.Call;
import io.semel.Claim;
import io.semel.Retention;
import io.semel.Settlement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One part of the memory store: a lock, the cells under it, and a fence that rises with every grant (S7). */
final class Stripe {

    /**
     * How many places each new slot pays for being swept; more than one, so that sweeping outruns growing. In a large table
     * more, so that what is over does not live until the garbage collector takes it for something that lasts.
     */
    private static final int FEWEST_SWEPT = 8;

    private static final int MOST_SWEPT = 32;
    private static final int SWEPT_PART = 64;

    private static final int ARRAY_HEADER = 16;
    /** What a place in the table takes, at the table's usual load. */
    private static final int PLACE = 20;

    private static final long SECOND = 1_000_000_000L;

    private final CellTable table = new CellTable();
    private final AtomicLong used;
    private final long most;
    private long fence;

    Stripe(AtomicLong used, long most) {
        this.used = used;
        this.most = most;
    }

    /** Null if a new slot was needed and there is no room for it. */
    synchronized @Nullable Claim claim(Address address, Call call, String holder, long lease, long now) {
        int at = table.find(address);
        if (at >= 0 && expire(at, now)) {
            at = table.find(address);
        }
        if (at < 0) {
            return open(address, call, holder, lease, now);
        }
        byte[] cell = table.cell(at);
        if (Cell.state(cell) != Cell.HELD) {
            return known(cell, now);
        }
        if (Cell.hasHolder(cell, holder)) {
            Cell.renew(cell, now + lease);
            return new Claim.Granted(Cell.fence(cell), Cell.attempts(cell) > 1);
        }
        if (Cell.until(cell) > now || !Cell.hasPrint(cell, call.fingerprint())) {
            return known(cell, now);
        }
        int attempts = Cell.attempts(cell) + 1;
        replace(
                at,
                Cell.held(address, call.fingerprint(), holder, ++fence, attempts, now, now + lease),
                CellTable.NEVER);
        return new Claim.Granted(fence, true);
    }

    synchronized boolean settle(Address address, String holder, long named, Settlement settlement, long now) {
        int at = table.find(address);
        if (at < 0) {
            return false;
        }
        byte[] cell = table.cell(at);
        if (Cell.state(cell) != Cell.HELD || Cell.fence(cell) != named || !Cell.hasHolder(cell, holder)) {
            return false;
        }
        apply(at, settlement, now);
        return true;
    }

    synchronized boolean amend(Address address, byte[] seen, Settlement verdict, long now) {
        int at = table.find(address);
        if (at < 0 || expire(at, now)) {
            return false;
        }
        byte[] cell = table.cell(at);
        if (Cell.state(cell) != Cell.SETTLED || !Cell.hasTail(cell, seen)) {
            return false;
        }
        apply(at, verdict, now);
        return true;
    }

    synchronized @Nullable Claim peek(Address address, long now) {
        byte[] cell = look(address, now);
        return cell == null ? null : known(cell, now);
    }

    /** The cell is not to be changed, nor kept: it may change when the lock is given up. */
    synchronized byte @Nullable [] look(Address address, long now) {
        int at = table.find(address);
        if (at >= 0 && expire(at, now)) {
            at = table.find(address);
        }
        return at < 0 ? null : table.cell(at).clone();
    }

    synchronized void forEach(long now, Consumer<byte[]> action) {
        for (int i = 0; i < table.capacity(); i++) {
            byte[] cell = table.cellAt(i);
            if (cell != null && (Cell.state(cell) == Cell.HELD || Cell.forget(cell) > now)) {
                action.accept(cell);
            }
        }
    }

    synchronized int purge(int limit, long now) {
        int purged = 0;
        int at = 0;
        while (purged < limit && at < table.capacity()) {
            // After a removal another cell may have moved here, so this place is looked at again.
            if (table.isDue(at, second(now)) && expire(at, now)) {
                purged++;
            } else {
                at++;
            }
        }
        return purged;
    }

    private @Nullable Claim open(Address address, Call call, String holder, long lease, long now) {
        sweep(now);
        byte[] cell = Cell.held(address, call.fingerprint(), holder, fence + 1, 1, now, now + lease);
        if (used.get() + cost(cell) > most) {
            return null;
        }
        fence++;
        used.addAndGet(cost(cell));
        table.add(address.tag(), cell, CellTable.NEVER);
        return new Claim.Granted(fence, false);
    }

    /** Only what was due in an earlier second: who is due in this one may have to wait, and looking at it costs a cache miss. */
    private void sweep(long now) {
        int places = Math.max(FEWEST_SWEPT, Math.min(MOST_SWEPT, table.capacity() / SWEPT_PART));
        int second = second(now) - 1;
        for (int n = 0; n < places; n++) {
            int at = table.next();
            if (table.isDue(at, second)) {
                expire(at, now);
            }
        }
    }

    private void apply(int at, Settlement settlement, long now) {
        byte[] cell = table.cell(at);
        if (settlement instanceof Settlement.Complete complete) {
            long until = later(now, complete.retention().retention());
            long forget = later(until, complete.retention().remembrance());
            replace(at, Cell.settled(cell, complete.result(), now, until, forget), due(until));
        } else if (settlement instanceof Settlement.Renew renew) {
            Cell.renew(cell, now + renew.lease().toNanos());
        } else {
            remove(at);
        }
    }

    /** Drops what is over: the result at the end of retention, everything at the end of remembrance. */
    private boolean expire(int at, long now) {
        byte[] cell = table.cell(at);
        if (Cell.state(cell) == Cell.HELD) {
            return false;
        }
        if (Cell.forget(cell) <= now) {
            remove(at);
            return true;
        }
        if (Cell.state(cell) == Cell.SETTLED && Cell.until(cell) <= now) {
            replace(at, Cell.gone(cell), due(Cell.forget(cell)));
            return true;
        }
        return false;
    }

    private static Claim known(byte[] cell, long now) {
        return switch (Cell.state(cell)) {
            case Cell.HELD -> new Claim.Held(Cell.print(cell), left(Cell.until(cell), now));
            case Cell.SETTLED -> new Claim.Settled(Cell.print(cell), Cell.tail(cell), left(Cell.until(cell), now));
            default -> new Claim.Settled(Cell.print(cell), null, left(Cell.forget(cell), now));
        };
    }

    static Duration left(long until, long now) {
        return until == Long.MAX_VALUE ? Retention.FOREVER : Duration.ofNanos(Math.max(0, until - now));
    }

    private void replace(int at, byte[] cell, int due) {
        used.addAndGet(cost(cell) - cost(table.cell(at)));
        table.replace(at, cell, due);
    }

    private void remove(int at) {
        used.addAndGet(-cost(table.cell(at)));
        table.remove(at);
    }

    private static long cost(byte[] cell) {
        return ARRAY_HEADER + PLACE + (cell.length + 7L & ~7L);
    }

    private static long later(long from, Duration span) {
        return from == Long.MAX_VALUE || span.equals(Retention.FOREVER) ? Long.MAX_VALUE : from + span.toNanos();
    }

    private static int second(long now) {
        return (int) Math.min(CellTable.NEVER - 1, now / SECOND);
    }

    private static int due(long until) {
        return until == Long.MAX_VALUE ? CellTable.NEVER : (int) Math.min(CellTable.NEVER - 1, until / SECOND);
    }
}
