// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.MalformedKey;
import io.semel.NotDone;
import io.semel.Outcome;
import io.semel.spring.Shop.Refused;
import io.semel.spring.Shop.RefusedHard;
import io.semel.spring.Shop.Silent;
import io.semel.spring.Shop.Tenant;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class MethodTest {

    private static void withShop(Consumer<Shop> test) {
        Apps.inMemory().withBean(Shop.class).withBean("tenant", Tenant.class).run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context.getBean(Shop.class));
        });
    }

    private static String id() {
        return UUID.randomUUID().toString();
    }

    @Test
    void everyTypeOfAnswerComesBackAsItWas() {
        withShop(shop -> {
            String id = id();
            assertThat(shop.answer(id)).isEqualTo(shop.answer(id));
            assertThat(shop.generic(id)).isEqualTo(shop.generic(id));
            assertThat(shop.maybe(id, true)).isEqualTo(shop.maybe(id, true)).isPresent();
            assertThat(shop.maybe(id + "-", false))
                    .isEqualTo(shop.maybe(id + "-", false))
                    .isEmpty();
            assertThat(shop.nothing(id)).isEqualTo(shop.nothing(id)).isNull();
            assertThat(shop.count(7)).isEqualTo(shop.count(7));
            UUID uuid = UUID.randomUUID();
            assertThat(shop.arrays(uuid)).isDeepEqualTo(shop.arrays(uuid));
            assertThat(shop.greet(id)).isEqualTo(shop.greet(id));
            assertThat(shop.runs()).isEqualTo(8);
        });
    }

    @Test
    void theOrderOfEntriesAndOfElementsOfSetsIsNotCompared() {
        withShop(shop -> {
            Map<String, Set<String>> one = new LinkedHashMap<>();
            one.put("a", new LinkedHashSet<>(List.of("x", "y")));
            one.put("b", new HashSet<>());
            Map<String, Set<String>> other = new LinkedHashMap<>();
            other.put("b", Set.of());
            other.put("a", new LinkedHashSet<>(List.of("y", "x")));
            String id = id();
            shop.order(id, one);
            shop.order(id, other);
            assertThat(shop.runs()).isOne();
            assertThatThrownBy(() -> shop.order(id, Map.of("a", Set.of("x")))).isInstanceOf(NotDone.class);
        });
    }

    @Test
    void aKeyOfPartsIsNotTheTextOfThemTogether() {
        withShop(shop -> {
            assertThat(shop.parts("a/b", "c")).isNotEqualTo(shop.parts("a", "b/c"));
            assertThat(shop.parts("a", "b/c")).isEqualTo(2);
            assertThat(shop.listed(List.of("a/b"))).isNotEqualTo(shop.listed(List.of("a", "b")));
            assertThat(shop.listed(List.of("a/b"))).isEqualTo(shop.listed(List.of("a/b")));
            assertThatThrownBy(() -> shop.listed(List.of())).hasMessageContaining("empty list");
            assertThat(shop.scopedByList(List.of("a/b"))).isNotEqualTo(shop.scopedByList(List.of("a", "b")));
        });
    }

    @Test
    void keysOfOneScopeAreNotThoseOfAnother() {
        Apps.inMemory().withBean(Shop.class).withBean("tenant", Tenant.class).run(context -> {
            Shop shop = context.getBean(Shop.class);
            int first = shop.scoped("1");
            context.getBean(Tenant.class).is("two");
            assertThat(shop.scoped("1")).isNotEqualTo(first);
            context.getBean(Tenant.class).is("one");
            assertThat(shop.scoped("1")).isEqualTo(first);
        });
    }

    @Test
    void onlyWhatTheFingerprintNamesIsCompared() {
        withShop(shop -> {
            int first = shop.comparedByCents("1", 5, "a");
            assertThat(shop.comparedByCents("1", 5, "b")).isEqualTo(first);
            assertThatThrownBy(() -> shop.comparedByCents("1", 6, "a"))
                    .isInstanceOfSatisfying(
                            NotDone.class,
                            notDone -> assertThat(notDone.outcome())
                                    .isEqualTo(new Outcome.Refused<>(Outcome.Reason.MISMATCH)));
        });
    }

    @Test
    void callsWithoutAKeyAreRefusedAndNotAllTheSame() {
        withShop(shop -> {
            assertThatThrownBy(() -> shop.answer(null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("null")
                    .hasMessageContaining("The method was not executed");
            assertThatThrownBy(() -> shop.answer("")).isInstanceOf(MalformedKey.class);
            assertThat(shop.runs()).isZero();
        });
    }

    @Test
    void argumentsThatCannotBeComparedAreRefusedBeforeAnythingRuns() {
        withShop(shop -> {
            assertThatThrownBy(() -> shop.opaque("1", new Object()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("fingerprint");
            assertThat(shop.runs()).isZero();
        });
    }

    @Test
    void recordedExceptionsAreThrownAgainAsTheNearestClassThatIsListed() {
        withShop(shop -> {
            Refused first = new RefusedHard("because");
            assertThatThrownBy(() -> shop.refuse("1", first)).isSameAs(first);
            assertThatThrownBy(() -> shop.refuse("1", new IllegalStateException("not run")))
                    .isExactlyInstanceOf(Refused.class)
                    .hasMessage("because");
            assertThatThrownBy(() -> shop.refuse("2", new Silent())).isInstanceOf(Silent.class);
            assertThatThrownBy(() -> shop.refuse("2", new Silent())).isExactlyInstanceOf(Silent.class);
            assertThat(shop.runs()).isEqualTo(2);
        });
    }

    @Test
    void otherExceptionsForgetTheCall() {
        withShop(shop -> {
            RuntimeException failure = new IllegalStateException("no");
            assertThatThrownBy(() -> shop.refuse("1", failure)).isSameAs(failure);
            assertThatThrownBy(() -> shop.refuse("1", failure)).isSameAs(failure);
            assertThat(shop.runs()).isEqualTo(2);
        });
    }

    @Test
    void theMethodKnowsItsAttempt() {
        withShop(shop -> {
            assertThat(shop.attempt("1"))
                    .startsWith(Shop.class.getName() + ".attempt/1 ")
                    .isEqualTo(shop.attempt("1"));
            assertThatThrownBy(CurrentAttempt::attempt)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("@Idempotent");
        });
    }

    @Test
    void aDuplicateOfARunningCallIsToldBusyOrWaits() {
        withShop(shop -> {
            CountDownLatch started = new CountDownLatch(2);
            CountDownLatch end = new CountDownLatch(1);
            Thread impatient = new Thread(() -> quietly(() -> shop.hold("1", started, end)));
            Thread patient = new Thread(() -> quietly(() -> shop.holdPatiently("1", started, end)));
            impatient.start();
            patient.start();
            quietly(started::await);
            assertThatThrownBy(() -> shop.hold("1", started, end))
                    .isInstanceOfSatisfying(
                            NotDone.class,
                            notDone ->
                                    assertThat(notDone.outcome()).isEqualTo(new Outcome.Busy<>(Duration.ofSeconds(1))));
            end.countDown();
            quietly(() -> {
                shop.holdPatiently("1", started, end);
                impatient.join();
                patient.join();
            });
            assertThat(shop.runs()).isEqualTo(2);
        });
    }

    private interface Throwing {

        void run() throws Exception;
    }

    private static void quietly(Throwing action) {
        try {
            action.run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
