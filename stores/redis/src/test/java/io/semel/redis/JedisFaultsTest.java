// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lettuce.core.api.sync.RedisCommands;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.redis.internal.script.SlotNames;
import io.semel.store.Claim;
import io.semel.testkit.fault.Wire;
import io.semel.testkit.fault.Wire.Failure;
import io.semel.testkit.fault.Wire.Moment;
import io.semel.testservers.Ports;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;

/** What a store over Jedis says when the server or the network does not do as asked. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JedisFaultsTest {

    private final Redis redis = Redis.with();
    private final Wire wire = Wire.to(redis.port());
    private final RedisClient client = RedisClient.create("127.0.0.1", wire.port());
    private final JedisStore store = JedisStore.on(client, RedisOptions.DEFAULT.withTimeout(Duration.ofSeconds(5)));
    private final RedisStore direct = RedisStore.on(redis.client(), RedisOptions.DEFAULT);

    @AfterAll
    void stop() throws IOException {
        direct.close();
        client.close();
        wire.close();
        redis.close();
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void aSettleThatIsCutOffIsUnknownAndNotSentAgain(Moment moment) {
        Key key = Trial.key();
        String holder = "settler-" + moment;
        long fence = Trial.granted(store, key, holder).fence();
        wire.failAt(holder, moment, Failure.CUT);

        unknown(() -> store.settle(key, holder, fence, Trial.DONE));
        assertThat(wire.failed()).isTrue();
        assertThat(store.settle(key, holder, fence, Trial.DONE)).isEqualTo(moment == Moment.BEFORE);
        assertThat(Trial.answer(store, key)).isEqualTo("done");
    }

    @Test
    void anAnswerThatComesTooLateIsNotTakenForTheNextOne() {
        Key late = Trial.key();
        Key other = Trial.done(direct);
        JedisStore impatient = JedisStore.on(client, RedisOptions.DEFAULT.withTimeout(Duration.ofMillis(700)));
        wire.delay(Duration.ofMillis(1400));
        unknown(() -> Trial.claim(impatient, late, "late"));
        wire.delay(Duration.ZERO);

        assertThat(Trial.answer(store, other)).isEqualTo("done");
        assertThat(direct.peek(late)).containsInstanceOf(Claim.Held.class);
    }

    @Test
    void connectionsGoBackWithTheTimeoutThatTheyHad() {
        int usual = soTimeout();
        Trial.done(store);
        redis.askInBytes(commands -> commands.set(new SlotNames("semel:").of(Key.of("trial", "foreign")), new byte[1]));
        StoreException refused = catchThrowableOfType(
                StoreException.class, () -> Trial.claim(store, Key.of("trial", "foreign"), "holder"));

        assertThat(refused.changedNothing()).isTrue();
        assertThat(soTimeout()).isEqualTo(usual).isNotEqualTo(5000);
    }

    private int soTimeout() {
        try (Connection connection = client.getPool().getResource()) {
            return connection.getSoTimeout();
        }
    }

    @Test
    void scriptsThatWereFlushedAreSentAgain() {
        redis.ask(RedisCommands::scriptFlush);

        assertThat(Trial.answer(store, Trial.done(store))).isEqualTo("done");
    }

    @Test
    void aServerThatIsNotThereIsSaidToBeNotThere() {
        try (RedisClient nobody = RedisClient.create("127.0.0.1", Ports.free())) {
            StoreException thrown =
                    catchThrowableOfType(StoreException.class, () -> JedisStore.on(nobody, RedisOptions.DEFAULT));

            assertThat(thrown).hasMessageContaining("Could not connect");
            assertThat(thrown.changedNothing()).isTrue();
        }
    }

    @Test
    void aServerThatSyncsItsFileIsDurableForItToo() {
        try (Redis synced = Redis.with("--appendonly", "yes", "--appendfsync", "always");
                RedisClient jedis = RedisClient.create("127.0.0.1", synced.port());
                JedisStore durable = JedisStore.on(jedis, RedisOptions.DEFAULT.durable())) {
            assertThat(durable.level()).isEqualTo(Level.LEASED);
        }
    }

    /** Frameworks list the methods of what they are given, and then all of their types have to be there. */
    @ParameterizedTest
    @CsvSource({"JedisStore, lettuce", "RedisStore, jedis"})
    void neitherClientHasToBeThereForTheStoreOfTheOther(String name, String missing) throws Exception {
        try (URLClassLoader loader = without(missing)) {
            Class<?> type = loader.loadClass("io.semel.redis." + name);

            assertThat(type.getMethods()).extracting("name").contains("on", "claim", "caveats");
            assertThat(type.getSuperclass().getDeclaredMethods()).isNotEmpty();
        }
    }

    @Test
    void aStoreOverJedisCanBeAskedWhereThereIsNoLettuce() throws Exception {
        try (URLClassLoader loader = without("lettuce")) {
            Class<?> type = loader.loadClass(JedisStore.class.getName());
            Class<?> itsClient = loader.loadClass(RedisClient.class.getName());
            Class<?> options = loader.loadClass(RedisOptions.class.getName());
            Class<?> key = loader.loadClass(Key.class.getName());
            try (AutoCloseable jedis = (AutoCloseable) itsClient
                            .getMethod("create", String.class)
                            .invoke(null, "redis://127.0.0.1:" + redis.port());
                    AutoCloseable alone = (AutoCloseable) type.getMethod("on", itsClient, options)
                            .invoke(null, jedis, options.getField("DEFAULT").get(null))) {
                Object nobodys = key.getMethod("of", String.class, String.class).invoke(null, "trial", "nobody's");

                assertThat(type.getMethod("peek", key).invoke(alone, nobodys)).isEqualTo(Optional.empty());
            }
        }
    }

    private static URLClassLoader without(String missing) {
        URL[] rest = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(each -> !each.contains(File.separator + missing))
                .map(JedisFaultsTest::url)
                .toArray(URL[]::new);
        return new URLClassLoader(rest, ClassLoader.getPlatformClassLoader());
    }

    private static URL url(String path) {
        try {
            URI uri = new File(path).toURI();
            return uri.toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static void unknown(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        StoreException thrown = catchThrowableOfType(StoreException.class, call);
        assertThat(thrown).isNotNull();
        assertThat(thrown.changedNothing()).isFalse();
    }
}
