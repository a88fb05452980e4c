// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.rocksdb.internal.format.RowId;
import io.semel.rocksdb.internal.format.SessionKeys;
import io.semel.rocksdb.internal.format.SessionRow;
import io.semel.rocksdb.internal.write.GroupWriter;
import io.semel.rocksdb.internal.write.SessionRules;
import io.semel.rocksdb.internal.write.SessionSweep;
import io.semel.session.InspectableSessions;
import io.semel.session.RequestKey;
import io.semel.session.RequestState;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.session.SessionView;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A {@link SessionStore} in the directory of a {@link RocksStore}: sessions, answers and marks are on disk when they
 * are acknowledged, and share their writes with the keys of that store. It is closed with the store.
 */
public final class RocksSessions implements InspectableSessions {

    private static final int SWEPT_TOGETHER = 500;

    private final RocksStore store;
    private final GroupWriter writer;
    private final int most;

    RocksSessions(RocksStore store, GroupWriter writer, int most) {
        this.store = store;
        this.writer = writer;
        this.most = most;
    }

    @Override
    public Level level() {
        return store.level();
    }

    @Override
    public Instant now() {
        return store.now();
    }

    @Override
    public Registration register(Session session, int mostOfScope) {
        return writer.ask(batch -> new SessionRules(batch).register(session, most, mostOfScope));
    }

    @Override
    public State keepAlive(SessionKey key, long firstOutstanding) {
        return writer.ask(batch -> new SessionRules(batch).keepAlive(key, firstOutstanding));
    }

    @Override
    public boolean close(SessionKey key) {
        return writer.ask(batch -> new SessionRules(batch).close(key));
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claiming claiming = new Claiming(call, holder, lease);
        RequestKey asked = RequestKey.of(call.key());
        return writer.ask(batch -> new SessionRules(batch).claim(asked, claiming));
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        Settling settling = new Settling(key, holder, fence, settlement);
        RequestKey asked = RequestKey.of(key);
        return writer.ask(batch -> new SessionRules(batch).settle(asked, settling));
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        List<RequestKey> asked =
                claimings.stream().map(each -> RequestKey.of(each.call().key())).toList();
        return writer.ask(batch -> IntStream.range(0, asked.size())
                .mapToObj(i -> new SessionRules(batch).claim(asked.get(i), claimings.get(i)))
                .toList());
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        List<RequestKey> asked =
                settlings.stream().map(each -> RequestKey.of(each.key())).toList();
        return writer.ask(batch -> IntStream.range(0, asked.size())
                .mapToObj(i -> new SessionRules(batch).settle(asked.get(i), settlings.get(i)))
                .toList());
    }

    @Override
    public Optional<Claim> peek(Key key) {
        RequestKey asked = RequestKey.of(key);
        RowId id = SessionKeys.id(asked.session());
        return store.read(database -> {
            long now = store.nanos();
            SessionRow session = database.session(id);
            if (session == null || !session.isLive(now)) {
                return Optional.empty();
            }
            RequestState request = database.request(id, asked.number());
            return Optional.ofNullable(request).map(each -> each.known(session.state(), now));
        });
    }

    @Override
    public Optional<SessionView> look(SessionKey key) {
        return store.view(snapshot -> snapshot.session(SessionKeys.id(key), store.nanos()));
    }

    @Override
    public List<SessionView> list(String scope, int limit) {
        return store.view(snapshot -> snapshot.sessionsOf(SessionKeys.scope(scope)).stream()
                .flatMap(id -> snapshot.session(id, store.nanos()).stream())
                .limit(limit)
                .toList());
    }

    @Override
    public int purge(int limit) {
        int purged = 0;
        boolean more = true;
        while (more && purged < limit) {
            int left = limit - purged;
            SessionSweep.Swept swept = writer.ask(batch -> new SessionRules(batch).purge(left, SWEPT_TOGETHER));
            purged += swept.ended();
            more = swept.more();
        }
        return purged;
    }

    @Override
    public Counts countSessions() {
        return store.view(snapshot -> snapshot.sessions(store.nanos()));
    }
}
