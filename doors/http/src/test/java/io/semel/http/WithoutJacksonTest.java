// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Engine;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;

/** A class path without the JSON library, which is optional. */
class WithoutJacksonTest {

    @Test
    void onlyComparingJsonNeedsTheJsonLibrary() throws IOException, ReflectiveOperationException {
        URL[] classPath = {
            where(HttpIdempotency.class), where(Engine.class), where(org.jspecify.annotations.Nullable.class)
        };
        try (URLClassLoader bare = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
            Class<?> forms = bare.loadClass("io.semel.http.BodyComparison");
            Method json = forms.getMethod("json", String[].class);

            assertThat(forms.getMethod("raw").invoke(null)).isNotNull();
            assertThat(forms.getMethod("multipart").invoke(null)).isNotNull();
            assertThat(bare.loadClass("io.semel.http.HttpRules")
                            .getMethod("standard")
                            .invoke(null))
                    .isNotNull();
            assertThatThrownBy(() -> json.invoke(null, (Object) new String[0]))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("tools.jackson.core:jackson-core");
        }
    }

    private static URL where(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }
}
