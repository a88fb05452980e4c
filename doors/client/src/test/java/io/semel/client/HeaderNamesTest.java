// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HeaderNamesTest {

    @Test
    void theNamesAreThoseOfTheService() throws ReflectiveOperationException {
        assertThat(names(io.semel.http.HeaderNames.class)).containsAllEntriesOf(names(HeaderNames.class));
    }

    private static Map<String, String> names(Class<?> table) throws ReflectiveOperationException {
        Map<String, String> names = new TreeMap<>();
        for (Field field : table.getFields()) {
            names.put(field.getName(), (String) field.get(null));
        }
        return names;
    }
}
