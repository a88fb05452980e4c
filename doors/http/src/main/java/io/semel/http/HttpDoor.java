// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
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
import io.semel.time.KeyTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
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
    private final RefusalLog log = new RefusalLog();

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
        Lane keys = new Lane(engine.with(operation.keyTime(rules.keyTime, rules.skew)), false, advertised, breaker());
        return new HttpDoor(rules, keys, null, null);
    }

    private static StoreBreaker breaker() {
        return new StoreBreaker(System::nanoTime);
    }

    /** This door with sessions beside keys; its operation counts for both, but answers to numbers have no retention. */
    public HttpDoor sessions(HttpSessions sessions) {
        Operation operation = keys.engine.operation().keyTime(KeyTime.NONE, rules.skew);
        Lane numbers = new Lane(sessions.engine().with(operation), true, List.of(), breaker());
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
            return read(
                    lane,
                    request,
                    null,
                    null,
                    print -> session.call(fields.number(), fields.firstOutstanding(), print));
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
            return keyed(request, key(request, present.key()), null);
        }
        String pointer = rules.keyPointer;
        return pointer == null ? new Admission.Decided(keyless()) : keyed(request, null, new BodyKey(pointer));
    }

    private Key key(Request request, String id) {
        return Key.of(request.caller().scope(rules.namespace), id);
    }

    private @Nullable Key found(Request request, BodyKey body) {
        String id = body.find();
        return id == null || id.length() > rules.longestKey ? null : key(request, id);
    }

    Entry keyless() {
        return rules.keyUse == KeyUse.REQUIRED ? refused(problems.missingKey()) : new Entry.Pass(Why.NO_KEY);
    }

    /** By a key that is given, or by one that is found in the body. */
    private Admission keyed(Request request, @Nullable Key given, @Nullable BodyKey body) {
        try {
            String header = rules.firstSentHeader;
            Instant firstSent = header == null ? null : FirstSent.of(request.headers(header));
            return read(keys, request, firstSent, body, print -> {
                Key key = given == null ? found(request, Objects.requireNonNull(body)) : given;
                Call call = key == null ? null : Call.of(key, print);
                return call == null || firstSent == null ? call : call.firstSentAt(firstSent);
            });
        } catch (KeyFault fault) {
            return decided(
                    problems.of(Problem.Type.MALFORMED_FIRST_SENT, fault.field().detail()));
        }
    }

    private Admission read(
            Lane lane,
            Request request,
            @Nullable Instant firstSent,
            @Nullable BodyKey body,
            Function<Fingerprint, @Nullable Call> call) {
        if (announcesTooMuch(request)) {
            return decided(problems.bodyTooLarge());
        }
        try {
            RequestDigest digest = RequestDigest.of(request, rules, firstSent);
            return new Admission.Reading(this, digest, lane, request, body, call);
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

    Optional<Entry> look(Lane lane, Request request, Call call) {
        Optional<Outcome<Answer>> known;
        try {
            known = lane.engine.peek(call, Answer.codec()).filter(outcome -> !lane.numbered || isHeard(request, call));
        } catch (RuntimeException e) {
            return Optional.of(failed(lane, e));
        }
        lane.breaker.reached();
        return known.map(outcome -> answered(lane, request, outcome));
    }

    /** A look is no word of the client, but its request is one; where it comes too late, entering tells why. */
    private boolean isHeard(Request request, Call call) {
        return desk != null && desk.hears(request, call);
    }

    Entry entered(Lane lane, Request request, Supplier<Begun<Answer>> beginning) {
        Begun<Answer> begun;
        try {
            begun = beginning.get();
        } catch (RuntimeException e) {
            return failed(lane, e);
        }
        lane.breaker.reached();
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
        Answer rendered;
        try {
            rendered = rules.renderer.render(stored, request);
        } catch (UnreadableAnswer e) {
            return refuse(problems.refused(Outcome.Reason.NOT_RETAINED), e);
        }
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

    /** Instead of asking a store that could not be reached a moment ago. */
    Entry unasked() {
        return failed(StoreException.unreachable(
                "The store could not be reached a moment ago; one request a second tries again.", null));
    }

    private static void note(StoreBreaker breaker, RuntimeException e) {
        if (isUnreachable(e)) {
            breaker.unreachable();
        } else {
            breaker.reached();
        }
    }

    private static boolean isUnreachable(RuntimeException e) {
        return e instanceof StoreException failure && failure.isUnreachable();
    }

    private Entry failed(Lane lane, RuntimeException e) {
        if (e instanceof MalformedKey) {
            return refused(lane.numbered ? problems.malformedNumber() : problems.futureDated());
        }
        note(lane.breaker, e);
        return e instanceof Rejection rejection ? refuse(problems.rejected(rejection), null) : failed(e);
    }

    private Entry failed(RuntimeException e) {
        if (e instanceof UnreadableAnswer) {
            return refuse(problems.unreadable(), e);
        }
        if (e instanceof LeaseLost) {
            return refuse(problems.takenOver(), e);
        }
        if (e instanceof OutcomeUnknown) {
            return refuse(problems.unconfirmed(), e);
        }
        if (rules.failOpen && isUnreachable(e)) {
            return new Entry.Pass(Why.STORE_UNAVAILABLE);
        }
        return refuse(problems.storeUnavailable(), e);
    }

    Entry unavailable(Throwable cause) {
        return refuse(problems.storeUnavailable(), cause);
    }

    Entry refuse(Problem.Type type, String detail) {
        return refused(problems.of(type, detail));
    }

    /** By the door alone, so that no listener of the engine's hears of it. */
    private Entry refused(Problem problem) {
        log.refused(problem.type(), null);
        return refuse(problem, null);
    }

    private Entry refuse(Problem problem, @Nullable Throwable cause) {
        if (cause != null) {
            log.refused(problem.type(), cause);
        }
        return new Entry.Refuse(problem, cause);
    }

    private Admission decided(Problem problem) {
        return new Admission.Decided(refused(problem));
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
    record Lane(Engine engine, boolean numbered, List<Header> advertised, StoreBreaker breaker) {}
}
