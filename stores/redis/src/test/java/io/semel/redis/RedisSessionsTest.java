// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.session.InspectableSessions;
import io.semel.session.SessionStore;
import io.semel.testkit.session.InspectableSessionContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** The laws of sessions on one server. */
class RedisSessionsTest extends InspectableSessionContract {

    private final Redis redis = Redis.with();
    private final List<RedisSessions> opened = new ArrayList<>();
    private final InspectableSessions shared = sessions("shared:", 10_000);

    private RedisSessions sessions(String prefix, int most) {
        RedisSessions sessions = RedisSessions.on(redis.client(), RedisOptions.DEFAULT.withPrefix(prefix), most);
        opened.add(sessions);
        return sessions;
    }

    @Override
    protected InspectableSessions open() {
        return shared;
    }

    @Override
    protected SessionStore withRoomFor(int most) {
        return sessions("small-" + opened.size() + ":", most);
    }

    @Override
    protected void elapse(Duration span) {
        redis.elapse(span);
    }

    @AfterAll
    void stop() {
        opened.forEach(RedisSessions::close);
        redis.close();
    }
}
