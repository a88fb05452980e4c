// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.api;

import io.semel.Event;
import io.semel.gateway.admin.activity.RecentEvents;
import io.semel.http.Answer;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionView;
import io.semel.store.Inspectable.Counts;
import io.semel.store.Slot;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Slots, counts, events and answers as JSON. */
public final class JsonViews {

    public static ObjectNode object() {
        return JsonMapper.shared().createObjectNode();
    }

    static ObjectNode slot(Slot slot) {
        ObjectNode shown = object();
        shown.put("scope", slot.key().scope());
        shown.put("id", slot.key().id());
        shown.put("state", slot.state().name().toLowerCase(Locale.ROOT));
        shown.put("fence", slot.fence());
        shown.put("attempts", slot.attempts());
        shown.put("holder", slot.holder());
        shown.put("ageMillis", slot.age().toMillis());
        shown.put("remainingMillis", millis(slot.remaining()));
        byte[] result = slot.result();
        shown.put("bytes", result == null ? 0 : result.length);
        return shown;
    }

    static ObjectNode session(SessionView view) {
        Session session = view.session();
        ObjectNode shown = key(session.key(), true);
        shown.put("mode", session.mode().name().toLowerCase(Locale.ROOT));
        shown.put("window", session.window());
        shown.put("leaseMillis", session.lease().toMillis());
        shown.put("remainingMillis", millis(view.remaining()));
        shown.put("receivedBelow", view.mark());
        shown.put("highest", view.highest());
        ArrayNode requests = shown.putArray("requests");
        for (SessionView.Request each : view.requests()) {
            ObjectNode request = requests.addObject();
            request.put("number", each.number());
            request.put("state", each.state().name().toLowerCase(Locale.ROOT));
            request.put("fence", each.fence());
            request.put("remainingMillis", millis(each.remaining()));
        }
        return shown;
    }

    static ObjectNode noSession(SessionKey key) {
        return key(key, false);
    }

    private static ObjectNode key(SessionKey key, boolean lives) {
        return object().put("scope", key.scope()).put("id", key.id()).put("lives", lives);
    }

    private static long millis(Duration span) {
        return span.toSeconds() > Long.MAX_VALUE / 1000 ? Long.MAX_VALUE : span.toMillis();
    }

    static ObjectNode counts(Counts counts) {
        ObjectNode shown = object();
        shown.put("held", counts.held());
        shown.put("lapsed", counts.lapsed());
        shown.put("unknown", counts.unknown());
        shown.put("settled", counts.settled());
        shown.put("gone", counts.gone());
        shown.put("bytes", counts.bytes());
        return shown;
    }

    static ObjectNode event(RecentEvents.Seen seen) {
        Event event = seen.event();
        ObjectNode shown = object();
        shown.put("at", seen.at().toString());
        shown.put("event", event.getClass().getSimpleName());
        shown.put("operation", event.operation());
        if (event instanceof Event.Executed executed) {
            shown.put("fence", executed.fence());
            shown.put("rejected", executed.rejected());
            shown.put("claimMicros", executed.claiming().toNanos() / 1000);
            shown.put("workMicros", executed.working().toNanos() / 1000);
            shown.put("settleMicros", executed.settling().toNanos() / 1000);
        } else if (event instanceof Event.Replayed replayed) {
            shown.put("claimMicros", replayed.claiming().toNanos() / 1000);
        } else if (event instanceof Event.WasBusy busy) {
            shown.put("waitedMicros", busy.waited().toNanos() / 1000);
        } else if (event instanceof Event.Released released) {
            shown.put("fence", released.fence());
        } else if (event instanceof Event.WasRefused refused) {
            shown.put("reason", refused.reason().name());
        } else if (event instanceof Event.GivenUp given) {
            shown.put("fence", given.fence());
            shown.put("why", given.why());
        } else if (event instanceof Event.LostLease lost) {
            shown.put("fence", lost.fence());
        } else if (event instanceof Event.SettleFailed failed) {
            shown.put("fence", failed.fence());
        } else if (event instanceof Event.NotRetained lost) {
            shown.put("fence", lost.fence());
        } else if (event instanceof Event.Unknown unknown) {
            shown.put("fence", unknown.fence());
            shown.put("why", unknown.why());
        } else if (event instanceof Event.Abandoned abandoned) {
            shown.put("fence", abandoned.fence());
        } else if (event instanceof Event.Operated operated) {
            shown.put("operator", operated.operator());
            shown.put("act", operated.act().name());
        }
        return shown;
    }

    static ObjectNode answer(Answer answer) {
        ObjectNode shown = object();
        shown.put("status", answer.status());
        ArrayNode headers = shown.putArray("headers");
        answer.headers().forEach(header -> headers.add(header.name() + ": " + header.value()));
        try {
            ByteBuffer bytes = ByteBuffer.wrap(answer.body());
            shown.put("body", StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
        } catch (CharacterCodingException e) {
            shown.put("bodyBase64", Base64.getEncoder().encodeToString(answer.body()));
        }
        return shown;
    }

    /** The components of a record, as they print. */
    static ObjectNode values(Record values) {
        ObjectNode shown = object();
        try {
            for (RecordComponent component : values.getClass().getRecordComponents()) {
                shown.put(
                        component.getName(),
                        String.valueOf(component.getAccessor().invoke(values)));
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The accessors of a public record are public.", e);
        }
        return shown;
    }

    private JsonViews() {}
}
