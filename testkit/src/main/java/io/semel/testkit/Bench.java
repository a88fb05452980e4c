// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

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
final class Bench implements AutoCloseable {

    /** Spans lie far enough apart for slow networks and slow machines: no test depends on less than five minutes. */
    static final Duration LEASE = Duration.ofMinutes(20);

    static final Duration PART_OF_LEASE = Duration.ofMinutes(15);
    static final Duration OVER_LEASE = Duration.ofMinutes(25);

    static final Retention KEPT = Retention.of(Duration.ofHours(1), Duration.ofHours(1));
    static final Duration PART_OF_RETENTION = Duration.ofMinutes(50);
    static final Duration OVER_RETENTION = Duration.ofMinutes(70);
    static final Duration OVER_REMEMBRANCE = Duration.ofMinutes(130);

    static final int LONGEST_TOKEN = 64;
    private static final AtomicLong RETRIES = new AtomicLong();

    static final Fingerprint ASKED = Fingerprint.of("what was asked");
    static final Fingerprint OTHER = Fingerprint.of("something else");

    private final StoreContract contract;
    private final Store store;
    private final String nonce;
    private final Handles handles;
    private final Grants grants;

    Bench(StoreContract contract) {
        this(
                contract,
                Long.toUnsignedString(new SecureRandom().nextLong(), Character.MAX_RADIX),
                new Handles(),
                new Grants());
    }

    private Bench(StoreContract contract, String nonce, Handles handles, Grants grants) {
        this.grants = grants;
        this.contract = contract;
        this.nonce = nonce;
        this.handles = handles;
        this.store = handles.add(contract.open());
    }

    /** The same slots, seen by another process. */
    Bench elsewhere() {
        return new Bench(contract, nonce, handles, grants);
    }

    /** The same slots after a crash of the backend; whatever was opened before may be dead. */
    Bench crash() {
        handles.giveUp();
        ((CrashLaws) contract).killAndRestart();
        return elsewhere();
    }

    Store store() {
        return store;
    }

    Store failing() {
        return handles.add(contract.failing());
    }

    void elapse(Duration span) {
        contract.elapse(span);
    }

    AutoCloseable blocked(Key key) {
        return contract.blocked(key);
    }

    String scope() {
        return "contract/" + nonce;
    }

    Key key() {
        return key("key");
    }

    Key key(String id) {
        return Key.of(scope(), id);
    }

    Call call() {
        return call(key());
    }

    Call call(Key key) {
        return Call.of(key, ASKED);
    }

    /** The same key, but another request. */
    Call otherCall() {
        return Call.of(key(), OTHER);
    }

    /** A token for an attempt that the test calls by this name; no other test uses it. */
    String token(String holder) {
        String token = nonce + "." + holder;
        if (token.length() > LONGEST_TOKEN) {
            throw new IllegalArgumentException("A holder has at most 64 characters: " + token);
        }
        return token;
    }

    Claim claim(Call call, String holder) {
        return claim(call, token(holder), LEASE);
    }

    /** By the token itself, for tests that are particular about it. */
    Claim claim(Call call, String token, Duration lease) {
        Claim claim = store.claim(call, token, lease);
        grants.note(call.key(), token, claim);
        return claim;
    }

    List<Claim> claimAll(List<Claiming> claimings) {
        List<Claim> claims = store.claimAll(claimings);
        for (int i = 0; i < claims.size(); i++) {
            grants.note(claimings.get(i).call().key(), claimings.get(i).holder(), claims.get(i));
        }
        return claims;
    }

    /** The fence of the grant to that token; for a token that has none, of the last grant, so that only the token is wrong. */
    long fence(Key key, String token) {
        return grants.fence(key, token);
    }

    /** By the token itself, for tests that are particular about it. */
    boolean settleBy(String token, Settlement settlement) {
        return store.settle(key(), token, fence(key(), token), settlement);
    }

    Settling settling(Key key, String token, Settlement settlement) {
        return new Settling(key, token, fence(key, token), settlement);
    }

    Claim.Granted granted(String holder) {
        return granted(call(), holder);
    }

    Claim.Granted granted(Call call, String holder) {
        return Expect.granted(claim(call, holder));
    }

    Claim.Held held(String holder) {
        return held(call(), holder);
    }

    Claim.Held held(Call call, String holder) {
        return Expect.held(claim(call, holder));
    }

    /** A claim by a holder of its own, for tests to which it does not matter who asks. */
    Claim retry(Call call) {
        return claim(call, "retry " + RETRIES.incrementAndGet());
    }

    /** Claims once more and expects to be told this result. */
    Claim.Settled answers(byte[] result) {
        return Expect.answer(result, retry(call()));
    }

    /** Claims once more and expects to be told that it is over, without a result. */
    Claim.Settled gone() {
        return Expect.gone(retry(call()));
    }

    boolean settle(String holder, Settlement settlement) {
        return settle(key(), holder, settlement);
    }

    boolean settle(Key key, String holder, Settlement settlement) {
        return store.settle(key, token(holder), fence(key, token(holder)), settlement);
    }

    void complete(String holder, byte[] result) {
        complete(holder, result, KEPT);
    }

    /** With an array of its own, so that a store that keeps it shares it with no other test. */
    void complete(String holder, byte[] result, Retention retention) {
        assertTrue(settle(holder, new Settlement.Complete(result.clone(), retention)), "a holder may complete");
    }

    void renew(String holder, Duration lease) {
        assertTrue(settle(holder, new Settlement.Renew(lease)), "a holder may renew");
    }

    void release(String holder) {
        assertTrue(settle(holder, new Settlement.Release()), "a holder may release");
    }

    /** Claims and completes, for tests that begin with an answer. */
    void done(byte[] result, Retention retention) {
        granted("first");
        complete("first", result, retention);
    }

    Optional<Claim> peek() {
        return store.peek(key());
    }

    @Override
    public void close() {
        handles.close();
    }
}
