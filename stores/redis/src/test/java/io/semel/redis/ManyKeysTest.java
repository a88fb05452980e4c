// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lettuce.core.api.sync.RedisCommands;
import io.semel.Call;
import io.semel.Key;
import io.semel.Retention;
import io.semel.redis.internal.script.SlotNames;
import io.semel.store.Claim;
import io.semel.store.Inspectable.Counts;
import io.semel.store.Inspectable.Page;
import io.semel.store.Inspectable.View;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store.Claiming;
import io.semel.store.Store.Settling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What operators look at in a Redis with many keys costs as much as what they look for; counted by Redis, command by command. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManyKeysTest {

    private static final int SETTLED = 30_000;
    private static final int HELD = 30;
    private static final int LAPSED = 20;
    private static final int UNKNOWN = 10;
    private static final Settlement NOBODY_KNOWS = new Settlement.Complete(new byte[] {1, 3, 'x'}, Retention.UNENDING);
    private static final Pattern CALLS = Pattern.compile("cmdstat_(\\w+):calls=(\\d+)");

    private final Redis redis = Redis.with();
    private final RedisStore store =
            RedisStore.on(redis.client(), RedisOptions.DEFAULT.withTimeout(Duration.ofMinutes(1)));

    @BeforeAll
    void fill() {
        for (int i = 0; i < SETTLED; i += 1000) {
            complete(1000, Trial.DONE);
        }
        complete(UNKNOWN, NOBODY_KNOWS);
        claim(HELD);
        for (Settling each : claim(LAPSED)) {
            store.settle(each.key(), each.holder(), each.fence(), new Settlement.Renew(Duration.ZERO));
        }
    }

    @AfterAll
    void stop() {
        store.close();
        redis.close();
    }

    @Test
    void countingLooksAtTheListsAndAtASample() {
        redis.ask(RedisCommands::configResetstat);
        Counts counts = store.count();

        assertThat(reads()).isLessThan(9_000);
        assertThat(counts.held()).isEqualTo(HELD);
        assertThat(counts.lapsed()).isEqualTo(LAPSED);
        assertThat(counts.unknown()).isEqualTo(UNKNOWN);
        assertThat((double) counts.settled()).isCloseTo(SETTLED, within(SETTLED * .2));
        assertThat(counts.bytes()).isBetween(SETTLED * 100L, SETTLED * 400L);
    }

    @Test
    void whatIsInFlightOrUnknownIsFoundOnLists() {
        redis.ask(RedisCommands::configResetstat);

        assertThat(all(View.IN_FLIGHT))
                .hasSize(HELD + LAPSED)
                .filteredOn(slot -> slot.state() == Slot.State.LAPSED)
                .hasSize(LAPSED);
        assertThat(all(View.UNKNOWN)).hasSize(UNKNOWN);
        assertThat(reads()).isLessThan(5_000);
    }

    @Test
    void aPageOfEverythingLooksAtAboutAsMuchAsItShows() {
        redis.ask(RedisCommands::configResetstat);
        Page page = store.page(View.OLDEST, null, 100);

        assertThat(page.slots()).isNotEmpty();
        assertThat(page.next()).isNotNull();
        assertThat(reads()).isLessThan(500);
    }

    @Test
    void allPagesShowEverything() {
        Set<Key> shown = new HashSet<>();
        all(View.OLDEST).forEach(slot -> shown.add(slot.key()));

        assertThat(shown).hasSize(SETTLED + UNKNOWN + HELD + LAPSED);
    }

    /** Redis may evict a claim, or somebody delete it; the list then still names it. */
    @Test
    void whatIsNoLongerThereIsTakenOffTheList() {
        Key key = claim(1).get(0).key();
        redis.askInBytes(commands -> commands.del(new SlotNames("semel:").of(key)));
        assertThat(store.count().held()).isEqualTo(HELD + 1);

        assertThat(all(View.IN_FLIGHT))
                .hasSize(HELD + LAPSED)
                .noneMatch(slot -> slot.key().equals(key));
        assertThat(store.count().held()).isEqualTo(HELD);
    }

    private List<Slot> all(View view) {
        List<Slot> all = new ArrayList<>();
        String cursor = null;
        do {
            Page page = store.page(view, cursor, view == View.OLDEST ? 1000 : 20);
            all.addAll(page.slots());
            cursor = page.next();
        } while (cursor != null);
        return all;
    }

    private List<Settling> claim(int many) {
        List<Claiming> claimings = IntStream.range(0, many)
                .mapToObj(i -> new Claiming(Call.of(Trial.key(), Trial.ASKED), "holder", Duration.ofDays(1)))
                .toList();
        List<Claim> claims = store.claimAll(claimings);
        return IntStream.range(0, many)
                .mapToObj(i -> new Settling(
                        claimings.get(i).call().key(), "holder", ((Claim.Granted) claims.get(i)).fence(), Trial.DONE))
                .toList();
    }

    private void complete(int many, Settlement how) {
        List<Settling> settlings = claim(many).stream()
                .map(each -> new Settling(each.key(), each.holder(), each.fence(), how))
                .toList();
        assertThat(store.settleAll(settlings)).doesNotContain(false);
    }

    /** How many commands were run, within scripts or alone; SCAN counts as a hundred. */
    private long reads() {
        Matcher calls = CALLS.matcher(redis.ask(commands -> commands.info("commandstats")));
        long reads = 0;
        while (calls.find()) {
            reads += Long.parseLong(calls.group(2)) * (calls.group(1).equals("scan") ? 100 : 1);
        }
        return reads;
    }
}
