// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.json;

import io.semel.Codec;
import io.semel.spring.internal.setup.InvalidSetup;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** JSON as the application writes it: by Jackson 3, or by Jackson 2 where its mapper is that one, as in Spring Boot 3. */
public interface Json {

    /** The mapper of the application; without one, the defaults of the Jackson that is there. */
    static Json of(ListableBeanFactory beans) {
        ClassLoader loader = Json.class.getClassLoader();
        boolean three = ClassUtils.isPresent("tools.jackson.databind.json.JsonMapper", loader);
        boolean two = ClassUtils.isPresent("com.fasterxml.jackson.databind.ObjectMapper", loader);
        Optional<Json> applications = three ? Jackson3.of(beans) : Optional.empty();
        if (applications.isEmpty() && two) {
            applications = Jackson2.of(beans);
        }
        if (applications.isEmpty() && !three && !two) {
            throw new InvalidSetup(
                    "Answers are stored as JSON, but Jackson is not on the class path.",
                    "Add Jackson; Spring Boot's web starters bring it.");
        }
        return applications.orElseGet(three ? Jackson3::standard : Jackson2::standard);
    }

    /** Writes values as JSON and reads them as this type, never as a type that the JSON names; fails with InvalidJson. */
    Codec<Optional<Object>> codec(Type type);

    /** Values as JSON in which properties, entries and the elements of sets are sorted. */
    byte[] sorted(List<@Nullable Object> values) throws InvalidJson;

    /** Whether this JSON is null. */
    boolean isNull(String text) throws InvalidJson;
}
