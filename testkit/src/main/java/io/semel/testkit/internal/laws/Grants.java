// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import io.semel.Key;
import io.semel.store.Claim;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The fences that were granted, so that a settle can name the grant that it is about. */
public final class Grants {

    private final Map<Grant, Long> fences = new ConcurrentHashMap<>();
    private final Map<Key, Long> last = new ConcurrentHashMap<>();

    public void note(Key key, String holder, Claim claim) {
        if (claim instanceof Claim.Granted granted) {
            fences.put(new Grant(key, holder), granted.fence());
            last.merge(key, granted.fence(), Math::max);
        }
    }

    /** The fence of the last grant to that holder; where it had none, of the last grant to anyone. */
    public long fence(Key key, String holder) {
        return fences.getOrDefault(new Grant(key, holder), last.getOrDefault(key, 1L));
    }

    private record Grant(Key key, String holder) {}
}
