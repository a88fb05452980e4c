// SPDX-License-Identifier: Apache-2.0
package io.semel;

import org.jspecify.annotations.Nullable;

/** What an operation does about a call whose earlier holder fell silent, so that nobody knows whether it happened. */
public sealed interface WhenAbandoned {

    /** Runs it again, with a higher fence: for work that is harmless to repeat or passes derived keys on. */
    record Rerun() implements WhenAbandoned {}

    /** Records the outcome as unknown and refuses every retry until somebody resolves it. */
    record Refuse() implements WhenAbandoned {}

    /** Asks a hook. */
    record Reconcile(Hook hook) implements WhenAbandoned {}

    static WhenAbandoned rerun() {
        return new Rerun();
    }

    static WhenAbandoned refuse() {
        return new Refuse();
    }

    static WhenAbandoned reconcile(Hook hook) {
        return new Reconcile(hook);
    }

    /** Finds out, from the world outside, whether an abandoned call happened. */
    @FunctionalInterface
    interface Hook {

        /** Asked while the slot is held; if it throws, the slot is left abandoned, to be asked about again. */
        Verdict ask(Call call, Attempt attempt);
    }

    /** What a {@link Hook} found out. */
    sealed interface Verdict {

        /** It happened, and this is its answer, as the operation's codec writes it. */
        record Happened(byte[] answer) implements Verdict {}

        /** It did not happen, so it may run now. */
        record DidNotHappen() implements Verdict {}

        /** Nobody knows yet: this call is refused as unknown, the next one asks again. */
        record StillUnknown() implements Verdict {}

        static <T extends @Nullable Object> Verdict happened(Codec<T> codec, T value) {
            return new Happened(codec.encode(value));
        }

        static Verdict didNotHappen() {
            return new DidNotHappen();
        }

        static Verdict stillUnknown() {
            return new StillUnknown();
        }
    }
}
