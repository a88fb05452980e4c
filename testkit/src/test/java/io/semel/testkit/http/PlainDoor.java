// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.semel.Begun;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.LeaseLost;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.StoreException;
import io.semel.WhenAbandoned;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A door as small as the profile allows, with at most one fault. */
final class PlainDoor {

    private static final Set<Integer> MENDED_BY_TIME = Set.of(401, 403, 407, 408, 413, 425, 429, 503);

    private final Engine engine;
    private final HttpSetting setting;
    private final @Nullable Fault fault;

    PlainDoor(Engine engine, HttpSetting setting, @Nullable Fault fault) {
        this.engine = engine.with(operation(setting, fault));
        this.setting = setting;
        this.fault = fault;
    }

    private static Operation operation(HttpSetting setting, @Nullable Fault fault) {
        Operation standard = Operation.named("payments");
        if (fault == Fault.RERUNS_WHAT_IS_UNKNOWN) {
            return standard.whenAbandoned(WhenAbandoned.rerun());
        }
        return switch (setting) {
            case RERUN -> standard.whenAbandoned(WhenAbandoned.rerun());
            case FOUND_DONE ->
                standard.whenAbandoned(WhenAbandoned.reconcile((call, attempt) -> WhenAbandoned.Verdict.happened(
                        PlainAnswer.CODEC, new PlainAnswer(201, List.of(), "found".getBytes(UTF_8)))));
            case FOUND_NOT_DONE ->
                standard.whenAbandoned(
                        WhenAbandoned.reconcile((call, attempt) -> WhenAbandoned.Verdict.didNotHappen()));
            case WAITING -> fault == Fault.NEVER_WAITS ? standard : standard.waitWhenBusy(Duration.ofSeconds(3));
            case SMALL_ANSWERS -> standard.keepAnswersUpTo(1_000);
            default -> standard;
        };
    }

    PlainAnswer handle(HttpExchange exchange, byte[] body, Supplier<PlainAnswer> handler) {
        Headers headers = exchange.getRequestHeaders();
        List<String> lines = headers.getOrDefault("Idempotency-Key", List.of());
        String method = exchange.getRequestMethod();
        boolean takesPart = Set.of("POST", "PATCH").contains(method)
                || (setting == HttpSetting.DELETES && method.equals("DELETE"))
                || (fault == Fault.LOOKS_AT_READS && !lines.isEmpty());
        if (!takesPart || setting == HttpSetting.KEYS_IGNORED) {
            return handler.get();
        }
        if (lines.isEmpty()) {
            boolean refused = setting == HttpSetting.KEYS_REQUIRED && fault != Fault.RUNS_WITHOUT_A_DEMANDED_KEY;
            return refused ? problem(400, "missing-key") : handler.get();
        }
        if (setting == HttpSetting.KEYS_REJECTED) {
            return problem(501, "unsupported");
        }
        String key = PlainKey.read(lines, setting, fault);
        return key == null ? problem(400, "malformed-key") : keyed(exchange, body, key, handler);
    }

    private PlainAnswer keyed(HttpExchange exchange, byte[] body, String key, Supplier<PlainAnswer> handler) {
        String user = fault == Fault.SHARES_KEYS
                ? "all"
                : exchange.getRequestHeaders().getFirst("X-User");
        Call call = Call.of(Key.of(user, key), fingerprint(exchange, body));
        Begun<PlainAnswer> begun;
        try {
            begun = engine.begin(call, PlainAnswer.CODEC);
        } catch (StoreException e) {
            boolean open = setting == HttpSetting.FAIL_OPEN || fault == Fault.FAILS_OPEN;
            return open ? handler.get() : problem(503, "store-unavailable", "Retry-After", "1");
        }
        if (begun instanceof Begun.Answered<PlainAnswer> answered) {
            return answered(answered.outcome(), exchange, handler);
        }
        return run((Begun.Started<PlainAnswer>) begun, handler);
    }

    private Fingerprint fingerprint(HttpExchange exchange, byte[] body) {
        Headers headers = exchange.getRequestHeaders();
        return Fingerprint.of(
                exchange.getRequestMethod(),
                fault == Fault.COMPARES_NO_PATHS ? "" : exchange.getRequestURI().getRawPath(),
                fault == Fault.COMPARES_NO_QUERIES
                        ? ""
                        : Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), "-"),
                Objects.requireNonNullElse(headers.getFirst("Content-Type"), ""),
                fault == Fault.COMPARES_CREDENTIALS
                        ? Objects.requireNonNullElse(headers.getFirst("Authorization"), "")
                        : "",
                fault == Fault.COMPARES_NO_BODIES ? "" : Fingerprint.of(body).toString());
    }

    private PlainAnswer answered(Outcome<PlainAnswer> outcome, HttpExchange exchange, Supplier<PlainAnswer> handler) {
        if (outcome instanceof Outcome.Done<PlainAnswer> done) {
            return replay(done.value(), exchange);
        }
        if (outcome instanceof Outcome.Refused<PlainAnswer> refused) {
            return refused(refused.reason(), handler);
        }
        if (fault == Fault.RUNS_WHEN_BUSY) {
            return handler.get();
        }
        return fault == Fault.FORGETS_TO_ASK_FOR_A_RETRY
                ? problem(409, "in-progress")
                : problem(409, "in-progress", "Retry-After", "1");
    }

    private PlainAnswer replay(PlainAnswer kept, HttpExchange exchange) {
        if (fault == Fault.REPLAYS_WITHOUT_A_MARKER) {
            return kept;
        }
        String accepted = exchange.getRequestHeaders().getFirst("Accept-Encoding");
        boolean gzip = fault == Fault.REPLAYS_GZIP_TO_ALL || (accepted != null && accepted.contains("gzip"));
        return marked(gzip ? kept : kept.unpacked());
    }

    private static PlainAnswer marked(PlainAnswer answer) {
        List<ScriptedService.Header> headers = new ArrayList<>(answer.headers());
        headers.add(new ScriptedService.Header("Idempotent-Replayed", "true"));
        return new PlainAnswer(answer.status(), headers, answer.body());
    }

    private PlainAnswer refused(Outcome.Reason reason, Supplier<PlainAnswer> handler) {
        return switch (reason) {
            case MISMATCH ->
                fault == Fault.CALLS_A_MISMATCH_BUSY
                        ? problem(409, "in-progress", "Retry-After", "1")
                        : problem(422, "key-reused");
            case GONE -> fault == Fault.RERUNS_WHAT_IS_GONE ? handler.get() : problem(410, "gone");
            case NOT_RETAINED ->
                fault == Fault.RERUNS_WHAT_WAS_NOT_KEPT ? handler.get() : problem(410, "result-unavailable");
            default -> problem(409, "outcome-unknown");
        };
    }

    private PlainAnswer run(Begun.Started<PlainAnswer> started, Supplier<PlainAnswer> handler) {
        PlainAnswer answer;
        try {
            answer = handler.get();
        } catch (RuntimeException e) {
            started.release(e);
            return new PlainAnswer(500, List.of(), new byte[0]);
        }
        try {
            end(started, answer);
        } catch (StoreException e) {
            return problem(409, "outcome-unknown");
        } catch (LeaseLost e) {
            return problem(409, "in-progress", "Retry-After", "1");
        }
        return fault == Fault.MARKS_FIRST_ANSWERS ? marked(answer) : answer;
    }

    private void end(Begun.Started<PlainAnswer> started, PlainAnswer answer) {
        if (isRecorded(answer)) {
            started.complete(answer.kept(setting, fault));
        } else if (answer.status() >= 500 && setting == HttpSetting.ERRORS_HELD && answer.status() != 503) {
            started.hold("The handler answered " + answer.status());
        } else {
            started.release();
        }
    }

    private boolean isRecorded(PlainAnswer answer) {
        boolean asksAgain = answer.status() == 409
                && answer.headers().stream().anyMatch(each -> each.name().equals("Retry-After"));
        if (MENDED_BY_TIME.contains(answer.status()) || asksAgain) {
            return fault == Fault.RECORDS_WHAT_TIME_CAN_MEND;
        }
        if (answer.status() >= 500) {
            return fault == Fault.RECORDS_ERRORS
                    || (setting == HttpSetting.ERRORS_RECORDED && fault != Fault.FORGETS_EVERY_ERROR);
        }
        return answer.status() < 400 || fault != Fault.FORGETS_REFUSALS;
    }

    private PlainAnswer problem(int status, String type, String... header) {
        return PlainAnswer.problem(status, fault == Fault.HAS_ONE_PROBLEM ? "refused" : type, header);
    }
}
