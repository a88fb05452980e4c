// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Codec;
import io.semel.Engine;
import io.semel.Key;
import io.semel.Operator;
import io.semel.Slot;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** The actuator endpoint {@code semel}: shows one key without its answer, and resolves or releases it. */
@Endpoint(id = "semel")
public class SemelEndpoint {

    private final Engine engine;

    SemelEndpoint(Engine engine) {
        this.engine = engine;
    }

    /** What is known of a key, never its answer; null, and so not found, where nothing is. */
    @ReadOperation
    public @Nullable Map<String, Object> look(String scope, String id) {
        Key key = Key.of(scope, id);
        Operator operator = engine.operator("actuator");
        return operator.look(key).map(slot -> shown(slot, operator)).orElse(null);
    }

    private static Map<String, Object> shown(Slot slot, Operator operator) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("state", slot.state());
        shown.put("fence", slot.fence());
        shown.put("attempts", slot.attempts());
        shown.put("age", slot.age().toString());
        shown.put("remaining", slot.remaining().toString());
        byte[] result = slot.result();
        if (result != null) {
            shown.put("bytes", result.length);
        }
        operator.whyUnknown(slot.key()).ifPresent(why -> shown.put("unknownBecause", why));
        return shown;
    }

    /**
     * Says what became of a call that nobody knows of.
     *
     * @param fence the one that was shown, so that a decision about an earlier attempt changes nothing
     * @param answer what retries are to get, as JSON, if it happened; without one it is released, and a retry runs
     */
    @WriteOperation
    public Map<String, Object> decide(
            String scope, String id, long fence, @Nullable String answer, SecurityContext security) {
        Operator operator = engine.operator(name(security));
        Optional<Slot> seen = operator.look(Key.of(scope, id));
        if (seen.isEmpty()) {
            return Map.of("result", Operator.Result.NOT_FOUND);
        }
        if (seen.get().fence() != fence) {
            return Map.of("result", Operator.Result.CHANGED);
        }
        return Map.of(
                "result",
                answer == null ? operator.release(seen.get()) : operator.resolve(seen.get(), Codec.utf8(), answer));
    }

    private static String name(SecurityContext security) {
        var principal = security.getPrincipal();
        return principal == null ? "actuator" : principal.getName();
    }
}
