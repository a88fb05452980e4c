// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.KeyTime;
import io.semel.LeaseLost;
import io.semel.Level;
import io.semel.MalformedKey;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.OutcomeUnknown;
import io.semel.Rejection;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.UnreadableAnswer;
import io.semel.http.Answer.Header;
import io.semel.http.Entry.Why;
import io.semel.session.SessionKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to do with HTTP requests: every filter and gateway asks it, so that no rule is written twice.
 *
 * <p>Authentication and authorisation come before it. A request that is refused is not run.
 */
public final class HttpDoor {

    private final HttpRules rules;
    private final Problems problems;
    private final Lane keys;
    private final @Nullable Lane numbers;
    private final @Nullable SessionDesk desk;

    private HttpDoor(HttpRules rules, Lane keys, @Nullable Lane numbers, @Nullable SessionDesk desk) {
        this.rules = rules;
        this.problems = new Problems(rules);
        this.keys = keys;
        this.numbers = numbers;
        this.desk = desk;
    }

    /**
     * A door for one kind of route. The engine's operation says how long answers are kept, how large they may be, and
     * what to do about busy and abandoned calls; its key time is replaced by that of the rules.
     */
    public static HttpDoor on(Engine engine, HttpRules rules) {
        Operation operation = engine.operation();
        List<Header> advertised = advertised(rules, operation.retention().retention());
        Lane keys = new Lane(engine.with(operation.keyTime(rules.keyTime, rules.skew)), false, advertised);
        return new HttpDoor(rules, keys, null, null);
    }

    /** This door with sessions beside keys; its operation counts for both, but answers to numbers have no retention. */
    public HttpDoor sessions(HttpSessions sessions) {
        Operation operation = keys.engine.operation().keyTime(KeyTime.NONE, rules.skew);
        Lane numbers = new Lane(sessions.engine().with(operation), true, List.of());
        return new HttpDoor(rules, keys, numbers, new SessionDesk(sessions, rules));
    }

    /** Decides whether the request takes part, before anything of its body is read. */
    public Admission admit(Request request) {
        SessionDesk asked = desk;
        if (asked != null && asked.takes(request)) {
            return new Admission.ForDoor(() -> asked.enter(request));
        }
        String method = request.method();
        if (rules.isOutside(method)) {
            return pass(Why.METHOD);
        }
        return switch (rules.keyUse) {
            case IGNORED -> pass(Why.IGNORED);
            case REJECTED ->
                rules.keyLines(request).isEmpty() && !SessionFields.arePresent(request)
                        ? pass(Why.NO_KEY)
                        : decided(problems.unsupported());
            case REQUIRED, OPTIONAL -> rules.methods.contains(method) ? takingPart(request) : pass(Why.METHOD);
        };
    }

    /** {@link #admit} and {@link Admission.Reading#enter} in one, for callers that have the whole body. */
    public Entry enter(Request request, byte[] body) {
        Admission admission = admit(request);
        if (admission instanceof Admission.Decided decided) {
            return decided.entry();
        }
        if (admission instanceof Admission.ForDoor ours) {
            return ours.enter();
        }
        Admission.Reading reading = (Admission.Reading) admission;
        reading.update(body, 0, body.length);
        return reading.enter();
    }

    private Admission takingPart(Request request) {
        List<String> lines = rules.keyLines(request);
        if (!SessionFields.arePresent(request)) {
            return keyed(request, lines);
        }
        Lane lane = numbers;
        if (lane == null) {
            return decided(problems.noSessions());
        }
        return lines.isEmpty() ? numbered(lane, request) : decided(problems.keyAndNumber());
    }

    private Admission numbered(Lane lane, Request request) {
        try {
            SessionFields fields = SessionFields.of(request);
            SessionKey session = new SessionKey(request.caller().scope(rules.namespace), fields.id());
            return read(lane, request, null, print -> session.call(fields.number(), fields.firstOutstanding(), print));
        } catch (KeyFault fault) {
            return decided(
                    problems.of(Problem.Type.MALFORMED_SESSION, fault.field().detail()));
        } catch (MalformedKey e) {
            return decided(problems.malformedNumber());
        }
    }

    private Admission keyed(Request request, List<String> lines) {
        KeyField field = rules.dialect.read(lines, rules.longestKey);
        if (field instanceof KeyField.Malformed malformed) {
            return decided(problems.of(Problem.Type.MALFORMED_KEY, malformed.detail()));
        }
        if (field instanceof KeyField.Present present) {
            return keyed(request, Key.of(request.caller().scope(rules.namespace), present.key()));
        }
        return rules.keyUse == KeyUse.REQUIRED ? decided(problems.missingKey()) : pass(Why.NO_KEY);
    }

    private Admission keyed(Request request, Key key) {
        try {
            String header = rules.firstSentHeader;
            Instant firstSent = header == null ? null : FirstSent.of(request.headers(header));
            return read(keys, request, firstSent, print -> {
                Call call = Call.of(key, print);
                return firstSent == null ? call : call.firstSentAt(firstSent);
            });
        } catch (KeyFault fault) {
            return decided(
                    problems.of(Problem.Type.MALFORMED_FIRST_SENT, fault.field().detail()));
        }
    }

    private Admission read(Lane lane, Request request, @Nullable Instant firstSent, Function<Fingerprint, Call> call) {
        if (announcesTooMuch(request)) {
            return decided(problems.bodyTooLarge());
        }
        try {
            RequestDigest digest = RequestDigest.of(request, rules, firstSent);
            return new Admission.Reading(this, digest, lane, request, call);
        } catch (BadBody bad) {
            return decided(problems.of(bad.type(), bad.detail()));
        }
    }

    /** Only to save the reading: what is really read is counted in any case. */
    private boolean announcesTooMuch(Request request) {
        for (String length : request.headers("Content-Length")) {
            if (Ascii.areDigits(length) && (length.length() > 18 || Long.parseLong(length) > rules.largestBody)) {
                return true;
            }
        }
        return false;
    }

    Entry enter(Lane lane, Request request, Call call) {
        return entered(lane, request, () -> lane.engine.begin(call, Answer.codec()));
    }

    Entry entered(Lane lane, Request request, Supplier<Begun<Answer>> beginning) {
        Begun<Answer> begun;
        try {
            begun = beginning.get();
        } catch (MalformedKey e) {
            return refuse(lane.numbered ? problems.malformedNumber() : problems.futureDated(), e);
        } catch (RuntimeException e) {
            return failed(e);
        }
        if (begun instanceof Begun.Started<Answer> started) {
            return new Entry.Run(
                    started,
                    new Ending(started, rules, lane.engine.level() == Level.JOINED),
                    lane.advertised,
                    lane.engine.operation().maxAnswer());
        }
        return answered(lane, request, ((Begun.Answered<Answer>) begun).outcome());
    }

    private Entry answered(Lane lane, Request request, Outcome<Answer> outcome) {
        if (outcome instanceof Outcome.Done<Answer> done) {
            return replay(lane, request, done.value());
        }
        if (outcome instanceof Outcome.Busy<Answer> busy) {
            return refuse(problems.inProgress(busy.retryAfter()), null);
        }
        return refuse(problems.refused(((Outcome.Refused<Answer>) outcome).reason()), null);
    }

    private Entry replay(Lane lane, Request request, Answer stored) {
        Answer rendered = rules.renderer.render(stored, request);
        Optional<Answer> readable = ContentCoding.readable(rendered, request.headers("Accept-Encoding"));
        if (readable.isEmpty()) {
            return refuse(problems.notAcceptable(), null);
        }
        Answer answer = readable.get().with(Names.REPLAYED, "true");
        for (Header header : lane.advertised) {
            answer = answer.with(header.name(), header.value());
        }
        return new Entry.Replay(answer);
    }

    private Entry failed(RuntimeException e) {
        if (e instanceof UnreadableAnswer || e instanceof Rejection) {
            return refuse(problems.unreadable(), e);
        }
        if (e instanceof LeaseLost) {
            return refuse(problems.takenOver(), e);
        }
        if (e instanceof OutcomeUnknown) {
            return refuse(problems.unconfirmed(), e);
        }
        if (e instanceof StoreException && rules.failOpen) {
            return new Entry.Pass(Why.STORE_UNAVAILABLE);
        }
        return refuse(problems.storeUnavailable(), e);
    }

    Entry unavailable(Throwable cause) {
        return refuse(problems.storeUnavailable(), cause);
    }

    Entry refuse(Problem.Type type, String detail) {
        return refuse(problems.of(type, detail), null);
    }

    private static Entry refuse(Problem problem, @Nullable Throwable cause) {
        return new Entry.Refuse(problem, cause);
    }

    private static Admission decided(Problem problem) {
        return new Admission.Decided(refuse(problem, null));
    }

    private static Admission pass(Why why) {
        return new Admission.Decided(new Entry.Pass(why));
    }

    private static List<Header> advertised(HttpRules rules, Duration retention) {
        boolean endless = retention.equals(Retention.FOREVER);
        return rules.advertiseRetention && !endless
                ? List.of(new Header(Names.LIFETIME, Long.toString(retention.toSeconds())))
                : List.of();
    }

    /** What tells retries apart: keys, or the numbers of sessions. */
    record Lane(Engine engine, boolean numbered, List<Header> advertised) {}
}
