// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.store.Store.Claiming;
import io.semel.store.Store.Settling;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A handle on the store under test, in a scope that no other test uses, with the verbs that the laws speak of. */
public final class Bench implements AutoCloseable {

    /** Spans lie far enough apart for slow networks and slow machines: no test depends on less than five minutes. */
    public static final Duration LEASE = Duration.ofMinutes(20);

    public static final Duration PART_OF_LEASE = Duration.ofMinutes(15);
    public static final Duration OVER_LEASE = Duration.ofMinutes(25);

    public static final Retention KEPT = Retention.of(Duration.ofHours(1), Duration.ofHours(1));
    public static final Duration PART_OF_RETENTION = Duration.ofMinutes(50);
    public static final Duration OVER_RETENTION = Duration.ofMinutes(70);
    public static final Duration OVER_REMEMBRANCE = Duration.ofMinutes(130);

    public static final int LONGEST_TOKEN = 64;
    private static final AtomicLong RETRIES = new AtomicLong();

    public static final Fingerprint ASKED = Fingerprint.of("what was asked");
    public static final Fingerprint OTHER = Fingerprint.of("something else");

    private final Backend backend;
    private final Store store;
    private final String nonce;
    private final Handles handles;
    private final Grants grants;

    public Bench(Backend backend) {
        this(
                backend,
                Long.toUnsignedString(new SecureRandom().nextLong(), Character.MAX_RADIX),
                new Handles(),
                new Grants());
    }

    private Bench(Backend backend, String nonce, Handles handles, Grants grants) {
        this.grants = grants;
        this.backend = backend;
        this.nonce = nonce;
        this.handles = handles;
        this.store = handles.add(backend.open());
    }

    /** The same slots, seen by another process. */
    public Bench elsewhere() {
        return new Bench(backend, nonce, handles, grants);
    }

    /** The same slots after a crash of the backend; whatever was opened before may be dead. */
    public Bench crash() {
        handles.giveUp();
        backend.killAndRestart();
        return elsewhere();
    }

    public Store store() {
        return store;
    }

    public Store failing() {
        return handles.add(backend.failing());
    }

    public void elapse(Duration span) {
        backend.elapse(span);
    }

    public AutoCloseable blocked(Key key) {
        return backend.blocked(key);
    }

    public String scope() {
        return "contract/" + nonce;
    }

    public Key key() {
        return key("key");
    }

    public Key key(String id) {
        return Key.of(scope(), id);
    }

    public Call call() {
        return call(key());
    }

    public Call call(Key key) {
        return Call.of(key, ASKED);
    }

    /** The same key, but another request. */
    public Call otherCall() {
        return Call.of(key(), OTHER);
    }

    /** A token for an attempt that the test calls by this name; no other test uses it. */
    public String token(String holder) {
        String token = nonce + "." + holder;
        if (token.length() > LONGEST_TOKEN) {
            throw new IllegalArgumentException("A holder has at most 64 characters: " + token);
        }
        return token;
    }

    public Claim claim(Call call, String holder) {
        return claim(call, token(holder), LEASE);
    }

    /** By the token itself, for tests that are particular about it. */
    public Claim claim(Call call, String token, Duration lease) {
        Claim claim = store.claim(call, token, lease);
        grants.note(call.key(), token, claim);
        return claim;
    }

    public List<Claim> claimAll(List<Claiming> claimings) {
        List<Claim> claims = store.claimAll(claimings);
        for (int i = 0; i < claims.size(); i++) {
            grants.note(claimings.get(i).call().key(), claimings.get(i).holder(), claims.get(i));
        }
        return claims;
    }

    /** The fence of the grant to that token; for a token that has none, of the last grant, so that only the token is wrong. */
    public long fence(Key key, String token) {
        return grants.fence(key, token);
    }

    /** By the token itself, for tests that are particular about it. */
    public boolean settleBy(String token, Settlement settlement) {
        return store.settle(key(), token, fence(key(), token), settlement);
    }

    public Settling settling(Key key, String token, Settlement settlement) {
        return new Settling(key, token, fence(key, token), settlement);
    }

    public Claim.Granted granted(String holder) {
        return granted(call(), holder);
    }

    public Claim.Granted granted(Call call, String holder) {
        return Expect.granted(claim(call, holder));
    }

    public Claim.Held held(String holder) {
        return held(call(), holder);
    }

    public Claim.Held held(Call call, String holder) {
        return Expect.held(claim(call, holder));
    }

    /** A claim by a holder of its own, for tests to which it does not matter who asks. */
    public Claim retry(Call call) {
        return claim(call, "retry " + RETRIES.incrementAndGet());
    }

    /** Claims once more and expects to be told this result. */
    public Claim.Settled answers(byte[] result) {
        return Expect.answer(result, retry(call()));
    }

    /** Claims once more and expects to be told that it is over, without a result. */
    public Claim.Settled gone() {
        return Expect.gone(retry(call()));
    }

    public boolean settle(String holder, Settlement settlement) {
        return settle(key(), holder, settlement);
    }

    public boolean settle(Key key, String holder, Settlement settlement) {
        return store.settle(key, token(holder), fence(key, token(holder)), settlement);
    }

    public void complete(String holder, byte[] result) {
        complete(holder, result, KEPT);
    }

    /** With an array of its own, so that a store that keeps it shares it with no other test. */
    public void complete(String holder, byte[] result, Retention retention) {
        assertTrue(settle(holder, new Settlement.Complete(result.clone(), retention)), "a holder may complete");
    }

    public void renew(String holder, Duration lease) {
        assertTrue(settle(holder, new Settlement.Renew(lease)), "a holder may renew");
    }

    public void release(String holder) {
        assertTrue(settle(holder, new Settlement.Release()), "a holder may release");
    }

    /** Claims and completes, for tests that begin with an answer. */
    public void done(byte[] result, Retention retention) {
        granted("first");
        complete("first", result, retention);
    }

    public Optional<Claim> peek() {
        return store.peek(key());
    }

    @Override
    public void close() {
        handles.close();
    }
}
