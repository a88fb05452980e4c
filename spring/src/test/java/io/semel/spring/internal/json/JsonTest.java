// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.semel.Codec;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both Jacksons, on one class path. */
class JsonTest {

    enum Currency {
        EUR
    }

    record Money(BigDecimal amount, Currency currency) {}

    record Order(String id, Money money, Set<String> tags, Map<String, Object> more, List<UUID> parts) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes(@JsonSubTypes.Type(value = Circle.class, name = "circle"))
    interface Named {}

    record Circle(int radius) implements Named {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    interface ByClass {}

    record Square(int side) implements ByClass {}

    static final class Empty {}

    static List<Json> both() {
        return List.of(Jackson2.standard(), Jackson3.standard());
    }

    private static Order order(String... tags) {
        Map<String, Object> more = new LinkedHashMap<>();
        for (String tag : tags) {
            more.put(tag, Set.of(1));
        }
        return new Order(
                "o-17",
                new Money(new BigDecimal("5.00"), Currency.EUR),
                new LinkedHashSet<>(Arrays.asList(tags)),
                more,
                List.of(new UUID(1, 2)));
    }

    @ParameterizedTest
    @MethodSource("both")
    void anAnswerComesBack(Json json) {
        Codec<Optional<Object>> codec = json.codec(Order.class);

        byte[] written = codec.encode(Optional.of(order("a", "b")));

        assertThat(codec.form()).isEqualTo("json");
        assertThat(codec.decode(written).orElseThrow())
                .hasToString(order("a", "b").toString());
        assertThat(codec.decode(codec.encode(Optional.empty()))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("both")
    void theOrderOfSetsAndMapsDoesNotCount(Json json) {
        assertThat(json.sorted(List.of(order("a", "b")))).isEqualTo(json.sorted(List.of(order("b", "a"))));
        assertThat(json.sorted(List.of(order("a", "b")))).isNotEqualTo(json.sorted(List.of(order("a", "c"))));
    }

    record Before(int a, int b) {}

    record After(int b, int a) {}

    @ParameterizedTest
    @MethodSource("both")
    void theOrderInWhichARecordIsDeclaredDoesNotCount(Json json) {
        assertThat(json.sorted(List.of(new Before(1, 2)))).isEqualTo(json.sorted(List.of(new After(2, 1))));
    }

    @Test
    void bothWriteTheSameFingerprint() {
        List<Object> values = Arrays.asList(order("b", "a"), null, 17L, "text", new Money(new BigDecimal("1"), null));

        assertThat(new String(Jackson2.standard().sorted(values), StandardCharsets.UTF_8))
                .isEqualTo(new String(Jackson3.standard().sorted(values), StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @MethodSource("both")
    void typesAreNamedByTheProgramAndNotByTheData(Json json) {
        Codec<Optional<Object>> named = json.codec(Named.class);
        assertThat(named.decode(named.encode(Optional.of(new Circle(1))))).contains(new Circle(1));

        Codec<Optional<Object>> byClass = json.codec(ByClass.class);
        assertThatThrownBy(() -> byClass.encode(Optional.of(new Square(1)))).isInstanceOf(InvalidJson.class);
    }

    @ParameterizedTest
    @MethodSource("both")
    void whatCannotBeWrittenOrReadSaysWhy(Json json) {
        assertThatThrownBy(() -> json.sorted(List.of(new Empty()))).isInstanceOf(InvalidJson.class);
        assertThatThrownBy(() -> json.codec(Money.class).decode("[1".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(InvalidJson.class)
                .hasMessageNotContaining("Source");
    }

    @ParameterizedTest
    @MethodSource("both")
    void nullIsToldFromOtherJsonAndFromOtherText(Json json) {
        assertThat(json.isNull(" null ")).isTrue();
        assertThat(json.isNull("{\"a\":[null]}")).isFalse();
        for (String no : List.of("", "nul", "{} {}", "{'a':1}")) {
            assertThatThrownBy(() -> json.isNull(no)).as(no).isInstanceOf(InvalidJson.class);
        }
    }
}
