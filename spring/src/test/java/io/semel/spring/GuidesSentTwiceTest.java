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
import tools.jackson.databind.json.JsonMapper;

/** The work that docs/spring.md and docs/plain.md run under a key, however it is sent. */
class GuidesSentTwiceTest {

    @SentTwice
    void theMethodOfTheSpringGuidePaysOnce(Sender sender) {
        Payments.Order order = new Payments.Order(UUID.randomUUID().toString(), 5);
        Apps.onH2()
                .withBean(Payments.class)
                .withBean("sent", Store.class, sender::store)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Payments payments = context.getBean(Payments.class);
                    sender.busyWhen(NotDone.class, thrown -> thrown.outcome() instanceof Outcome.Busy)
                            .unknownWhen(
                                    NotDone.class,
                                    thrown -> thrown.outcome().equals(new Outcome.Refused<>(Outcome.Reason.UNKNOWN)))
                            .send(() -> payments.pay(order))
                            .hasEffects(1, () -> payments.paid(order))
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

        assertThat(Files.readString(Path.of("src/test/java/io/semel/spring/Payments.java"))
                        .replaceAll("\\s+", ""))
                .contains(method);
    }
}
