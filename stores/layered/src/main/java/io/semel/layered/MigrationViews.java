// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Key;
import io.semel.store.Inspectable;
import io.semel.store.Inspectable.Page;
import io.semel.store.Inspectable.View;
import io.semel.store.Slot;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The operators' view of two stores that count as one. */
final class MigrationViews {

    private static final String OLD = "o";
    private static final String NEXT = "n";

    private final Inspectable old;
    private final Inspectable next;

    MigrationViews(Inspectable old, Inspectable next) {
        this.old = old;
        this.next = next;
    }

    Optional<Slot> look(Key key) {
        Optional<Slot> second = next.look(key);
        Optional<Slot> first = old.look(key);
        if (first.isEmpty() || second.isEmpty()) {
            return first.or(() -> second);
        }
        return Optional.of(
                fenced(second.get(), Math.max(first.get().fence(), second.get().fence())));
    }

    private static Slot fenced(Slot slot, long fence) {
        return new Slot(
                slot.key(),
                slot.fingerprint(),
                slot.state(),
                fence,
                slot.attempts(),
                slot.holder(),
                slot.age(),
                slot.remaining(),
                slot.result());
    }

    Page page(View view, @Nullable String cursor, int limit) {
        if (cursor != null && cursor.startsWith(NEXT)) {
            return moved(view, cursor.substring(NEXT.length()), limit);
        }
        String at = cursor == null ? null : cursor.substring(OLD.length());
        do {
            Page page = old.page(view, at, limit);
            at = page.next();
            List<Slot> unmoved = page.slots().stream()
                    .filter(slot -> next.look(slot.key()).isEmpty())
                    .toList();
            if (!unmoved.isEmpty()) {
                return new Page(unmoved, at == null ? NEXT : OLD + at);
            }
        } while (at != null);
        return moved(view, "", limit);
    }

    private Page moved(View view, String at, int limit) {
        Page page = next.page(view, at.isEmpty() ? null : at, limit);
        List<Slot> slots =
                page.slots().stream().map(slot -> look(slot.key()).orElse(slot)).toList();
        return new Page(slots, page.next() == null ? null : NEXT + page.next());
    }
}
