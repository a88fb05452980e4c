// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Applications that have nothing of what is optional. */
class ClassPathTest {

    private static final String STORES = "semel-(jdbc|redis|rocksdb|layered)|rocksdbjni|lettuce|redis-authx|netty";
    private static final String DATA =
            "spring-(boot-)?(jdbc|data|sql|orm|oxm|persistence|transaction)|hibernate|h2-|Hikari";
    private static final String WEB =
            "semel-(servlet|http|webflux)|spring-(boot-)?(starter-)?(web|servlet|http|tomcat|security)|tomcat|jakarta.servlet";
    private static final String OBSERVING =
            "spring-boot-(actuator|health|micrometer)|micrometer|reactor|reactive-streams";

    static class Service {

        @Idempotent
        public String answer(String id) {
            return "answer " + CurrentAttempt.attempt().fence();
        }
    }

    @Configuration
    @EnableAutoConfiguration
    static class App {

        @Bean
        Service service() {
            return new Service();
        }
    }

    /** A whole application: says whether a retry got the first answer. */
    public static void main(String[] arguments) {
        try (var context = new SpringApplicationBuilder(App.class)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off")
                .run()) {
            Service service = context.getBean(Service.class);
            System.out.println(service.answer("1").equals(service.answer("1")) ? "same answer" : "other answer");
        }
    }

    private static String outputWithout(String jars) throws Exception {
        Pattern left = Pattern.compile("(" + jars + ")[^/]*\\.jar$");
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !left.matcher(entry.substring(entry.lastIndexOf('/') + 1))
                        .find())
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(classPath).doesNotContain("semel-jdbc").contains("spring-tx");
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        classPath,
                        ClassPathTest.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    @Test
    void anApplicationWithoutAnythingOptionalStarts() throws Exception {
        assertThat(outputWithout(STORES + "|" + DATA + "|" + WEB + "|" + OBSERVING))
                .contains("same answer")
                .contains("semel-jdbc or spring-jdbc is not on the class path");
    }

    @Test
    void anApplicationWithoutStoresButWithActuatorStarts() throws Exception {
        assertThat(outputWithout(STORES + "|" + DATA)).contains("same answer");
    }
}
