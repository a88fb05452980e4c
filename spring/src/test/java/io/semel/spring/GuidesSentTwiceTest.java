// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.NotDone;
import io.semel.Outcome;
import io.semel.store.Store;
import io.semel.testkit.Sender;
import io.semel.testkit.SentTwice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** The work that docs/spring.md and docs/plain.md run under a key, however it is sent. */
class GuidesSentTwiceTest {

    record Order(String id, long cents) {}

    record Receipt(String order, long cents) {}

    static class Till {

        private final JdbcClient database;

        Till(JdbcClient database) {
            this.database = database;
            database.sql("CREATE TABLE payment (id VARCHAR(100) NOT NULL, cents INT NOT NULL)")
                    .update();
        }

        @Idempotent(operation = "pay", key = "#order.id")
        @Transactional
        public Receipt pay(Order order) {
            return insert(order);
        }

        private Receipt insert(Order order) {
            database.sql("INSERT INTO payment VALUES (?, ?)")
                    .params(order.id(), order.cents())
                    .update();
            return new Receipt(order.id(), order.cents());
        }

        int paid(Order order) {
            return database.sql("SELECT COUNT(*) FROM payment WHERE id = ?")
                    .param(order.id())
                    .query(Integer.class)
                    .single();
        }
    }

    @SentTwice
    void theMethodOfTheSpringGuidePaysOnce(Sender sender) {
        Order order = new Order(UUID.randomUUID().toString(), 5);
        Apps.onH2()
                .withBean(Till.class)
                .withBean("sent", Store.class, sender::store)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Till till = context.getBean(Till.class);
                    sender.busyWhen(NotDone.class, thrown -> thrown.outcome() instanceof Outcome.Busy)
                            .unknownWhen(
                                    NotDone.class,
                                    thrown -> thrown.outcome().equals(new Outcome.Refused<>(Outcome.Reason.UNKNOWN)))
                            .send(() -> till.pay(order))
                            .hasEffects(1, () -> till.paid(order))
                            .answersEqually();
                });
    }

    @SentTwice
    void theCodecOfThePlainGuideGivesEveryRetryTheFirstAnswer(Sender sender) {
        Call call = Call.of(Key.of("pay", "17"), Fingerprint.of("17"));
        Codec<PagesTest.Receipt> codec =
                PagesTest.JsonCodec.of(JsonMapper.builder().build(), PagesTest.Receipt.class);
        sender.start(() -> Engine.on(sender.store()))
                .send(engine -> engine.run(call, codec, attempt -> {
                    sender.effects().add("R-17");
                    return new PagesTest.Receipt("R-17", "EUR");
                }))
                .hasOneEffect()
                .answersEqually();
    }

    @Test
    void theMethodOfTheSpringGuideIsTheOneThatIsSent() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "spring.md"));
        String first = page.substring(page.indexOf("```java\n@Idempotent") + "```java\n".length());
        String method = first.substring(0, first.indexOf("```")).replaceAll("\\s+", "");

        assertThat(Files.readString(Path.of("src/test/java/io/semel/spring/GuidesSentTwiceTest.java"))
                        .replaceAll("\\s+", ""))
                .contains(method);
    }
}
