// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.semel.Event;
import io.semel.Listener;
import io.semel.NotDone;
import io.semel.Outcome;
import io.semel.memory.MemoryStore;
import io.semel.spring.internal.method.MethodPlans;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/** What may be stored of an answer. */
class AnswerTest {

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes(@JsonSubTypes.Type(value = Circle.class, name = "circle"))
    interface Named {}

    record Circle(int radius) implements Named {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    interface ByClass {}

    record Square(int side) implements ByClass {}

    interface Untold {}

    record Line(int length) implements Untold {}

    record Holder(List<Object> anything) {}

    static class Shapes {

        @Idempotent
        public Named named(String id) {
            return new Circle(1);
        }

        @Idempotent
        public ByClass byClass(String id) {
            return new Square(1);
        }

        @Idempotent
        public Untold untold(String id) {
            return new Line(1);
        }

        @Idempotent(operation = "holder")
        public Holder holder(String id) {
            return new Holder(List.of(new Circle(1)));
        }
    }

    private final List<Event> events = new CopyOnWriteArrayList<>();

    private void with(java.util.function.Consumer<Shapes> test) {
        Apps.inMemory()
                .withBean(Shapes.class)
                .withBean(Listener.class, () -> events::add)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    test.accept(context.getBean(Shapes.class));
                });
    }

    @Test
    void typesThatAreNamedByTheProgramComeBack() {
        with(shapes -> assertThat(shapes.named("1")).isEqualTo(shapes.named("1")));
    }

    @Test
    void typesThatAreNamedByTheDataAreNotKeptAndTheirCallIsNotRepeated() {
        with(shapes -> {
            assertThat(shapes.byClass("1")).isEqualTo(new Square(1));
            notRetained(() -> shapes.byClass("1"));
        });
    }

    @Test
    void typesThatCannotBeReadAreToldAtTheFirstCall() {
        with(shapes -> {
            assertThat(shapes.untold("1")).isEqualTo(new Line(1));
            assertThat(events).anySatisfy(event -> assertThat(event).isInstanceOf(Event.NotRetained.class));
            notRetained(() -> shapes.untold("1"));
        });
    }

    private static void notRetained(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        NotDone.class,
                        notDone -> assertThat(notDone.outcome())
                                .isEqualTo(new Outcome.Refused<>(Outcome.Reason.NOT_RETAINED)));
    }

    @Test
    void defaultTypingOfTheApplicationIsNotUsed() {
        JsonMapper reckless = JsonMapper.builder()
                .activateDefaultTyping(
                        BasicPolymorphicTypeValidator.builder()
                                .allowIfSubType(Object.class)
                                .build(),
                        DefaultTyping.NON_FINAL)
                .build();
        MemoryStore store = new MemoryStore();
        Apps.bare()
                .withBean("reckless", JsonMapper.class, () -> reckless)
                .withBean(MemoryStore.class, () -> store)
                .withBean(Shapes.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(Shapes.class).holder("1");
                    byte[] stored = store.look(io.semel.Key.of("holder", "1"))
                            .orElseThrow()
                            .result();
                    assertThat(new String(stored, java.nio.charset.StandardCharsets.UTF_8))
                            .contains("radius")
                            .doesNotContain("io.semel.spring");
                });
    }

    @Test
    void aStoredAnswerOfAnotherShapeIsAnErrorAndNotAGuess() {
        MemoryStore store = new MemoryStore();
        Apps.bare()
                .withBean(MemoryStore.class, () -> store)
                .withBean(Shapes.class)
                .run(context -> {
                    var call = context.getBean(MethodPlans.class)
                            .of(Shapes.class.getMethod("holder", String.class), Shapes.class)
                            .call(new Object[] {"1"});
                    io.semel.Engine.on(store).run(call, io.semel.Codec.utf8(), attempt -> "[\"no holder\"");
                    assertThatThrownBy(() -> context.getBean(Shapes.class).holder("1"))
                            .isInstanceOf(io.semel.NotDone.class);
                });
    }
}
