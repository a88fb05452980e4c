// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Key;
import io.semel.memory.MemoryStore;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service on a port, whose calls can be taken back to where nobody knows whether they happened. */
record Lost(Web web) implements AutoCloseable {

    private static final String NO_DATABASE = "," + Boot.DATABASE;

    record Receipt(String number) {}

    static class Service {

        private final List<String> reminded = new CopyOnWriteArrayList<>();

        @Idempotent(operation = "pay")
        public Receipt pay(String order) {
            return new Receipt("run for " + order);
        }

        @Idempotent(operation = "remind")
        public void remind(String order) {
            reminded.add(order);
        }

        List<String> reminded() {
            return reminded;
        }
    }

    @RestController
    static class Controller {

        @PostMapping("/payments")
        String pay() {
            return "run";
        }
    }

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import({Service.class, Controller.class})
    static class App {

        @Bean
        MemoryStore store() {
            return new MemoryStore();
        }
    }

    static Lost start() {
        return start("management.endpoints.web.exposure.include=semel");
    }

    static Lost start(String... properties) {
        return start(WebApplicationType.SERVLET, Web.WITHOUT_SECURITY, properties);
    }

    static Lost start(WebApplicationType type, String withoutSecurity, String... properties) {
        List<String> all = new ArrayList<>(List.of(withoutSecurity + NO_DATABASE, "semel.store=memory"));
        all.addAll(List.of(properties));
        return new Lost(Web.start(App.class, type, all.toArray(String[]::new)));
    }

    /** A call that was held, because nobody knew. */
    void unknown(Key key, String form) {
        begun(key, form).hold("the bank did not answer");
    }

    /** A call whose process has died. */
    void lapsed(Key key, String form) {
        begun(key, form).abandon();
    }

    private Begun.Started<byte[]> begun(Key key, String form) {
        Engine engine = Engine.on(store());
        return (Begun.Started<byte[]>) engine.begin(Call.of(key, fingerprint(key)), new Form(form));
    }

    /** That of the real call, so that a retry of it is one. */
    private io.semel.Fingerprint fingerprint(Key key) {
        Slot slot = store().look(key).orElseThrow();
        assertThat(store().amend(key, slot.result(), new Settlement.Release())).isTrue();
        return slot.fingerprint();
    }

    MemoryStore store() {
        return web.bean(MemoryStore.class);
    }

    Service service() {
        return web.bean(Service.class);
    }

    /** How it stands with a key that has been called. */
    Slot slot(Key key) {
        return store().look(key).orElseThrow();
    }

    /** Says this about a key, with the fence that is shown. */
    Got decide(Key key, String more) throws Exception {
        String seen = "{\"scope\":\"" + key.scope() + "\",\"id\":\"" + key.id() + "\",\"fence\":"
                + slot(key).fence();
        return decide(seen + (more.isEmpty() ? "" : "," + more) + "}");
    }

    Got decide(String json) throws Exception {
        return web.send("POST", "/actuator/semel", json);
    }

    @Override
    public void close() {
        web.close();
    }

    private record Form(String form) implements Codec<byte[]> {

        @Override
        public byte[] encode(byte[] value) {
            return value;
        }

        @Override
        public byte[] decode(byte[] bytes) {
            return bytes;
        }
    }
}
