// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.store;

import io.semel.memory.MemoryStore;
import io.semel.session.MemorySessions;
import io.semel.session.SessionStore;
import io.semel.store.Store;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.IntFunction;

/** A store that was opened by its URL, and everything that has to be closed after it. */
public final class OpenStore implements AutoCloseable {

    private final Store store;
    private final String label;
    private final List<String> caveats;
    private final IntFunction<SessionStore> sessions;
    private final Deque<AutoCloseable> behind;

    OpenStore(
            Store store,
            String label,
            List<String> caveats,
            IntFunction<SessionStore> sessions,
            Deque<AutoCloseable> behind) {
        this.store = store;
        this.label = label;
        this.caveats = caveats;
        this.sessions = sessions;
        this.behind = new ArrayDeque<>(behind);
    }

    /** A store that the caller opens and closes; its sessions are in memory. */
    public static OpenStore of(Store store, String label) {
        return new OpenStore(store, label, List.of(), MemorySessions::new, new ArrayDeque<>());
    }

    public Store store() {
        return store;
    }

    /** The sessions beside its keys; closed with it. */
    public SessionStore sessions(int most) {
        SessionStore opened = sessions.apply(most);
        if (opened instanceof AutoCloseable closeable) {
            behind.push(closeable);
        }
        return opened;
    }

    /** Its URL, without passwords. */
    public String label() {
        return label;
    }

    /** In which ways it may forget. */
    public List<String> caveats() {
        return caveats;
    }

    /** Whether it answers from memory, so that asking it never takes long. */
    public boolean isQuick() {
        return store instanceof MemoryStore;
    }

    /** The meaning of its level for operators. */
    public String promise() {
        return switch (store.level()) {
            case JOINED -> "JOINED: record and effect commit together.";
            case LEASED -> "LEASED: acknowledged answers are kept; a silent service leaves the outcome unknown.";
            case BEST_EFFORT -> "BEST_EFFORT: if a record is lost with the process or its server, a retry runs again.";
        };
    }

    @Override
    public void close() {
        while (!behind.isEmpty()) {
            try {
                behind.pop().close();
            } catch (Exception e) {
                System.getLogger(OpenStore.class.getName())
                        .log(System.Logger.Level.WARNING, "Closing the store failed.", e);
            }
        }
    }
}
