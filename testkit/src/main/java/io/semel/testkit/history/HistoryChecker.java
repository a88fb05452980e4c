// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.history;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Looks for an order of the operations on one slot, each within the time it took, that the {@link SlotModel} allows.
 *
 * <p>A depth-first search, after Wing and Gong, that remembers which sets of operations in which state led nowhere, after
 * Lowe. An operation without an answer may have taken effect at any time after its call, or never.
 */
public final class HistoryChecker {

    private final List<Event> events;
    private final Set<Node> seen = new HashSet<>();
    private Node furthest = new Node(new BitSet(), SlotModel.free());

    private HistoryChecker(List<Event> events) {
        this.events = events;
    }

    /** Whether the laws allow this history of one slot, of which nothing was known at the start. */
    public static boolean isLawful(List<Event> events) {
        return new HistoryChecker(events).search();
    }

    /** Nothing if the laws allow this history of one slot, else what cannot be explained. */
    static String objection(List<Event> events) {
        HistoryChecker checker = new HistoryChecker(events);
        return checker.search() ? "" : checker.explain();
    }

    private boolean search() {
        Deque<Iterator<Node>> path = new ArrayDeque<>();
        seen.add(furthest);
        if (isComplete(furthest)) {
            return true;
        }
        path.push(next(furthest));
        while (!path.isEmpty()) {
            if (!path.element().hasNext()) {
                path.pop();
                continue;
            }
            Node node = path.element().next();
            if (isComplete(node)) {
                return true;
            }
            if (seen.add(node)) {
                remember(node);
                path.push(next(node));
            }
        }
        return false;
    }

    private boolean isComplete(Node node) {
        for (int i = node.done.nextClearBit(0); i < events.size(); i = node.done.nextClearBit(i + 1)) {
            if (!events.get(i).operation().isUnanswered()) {
                return false;
            }
        }
        return true;
    }

    private void remember(Node node) {
        if (node.done.cardinality() > furthest.done.cardinality()) {
            furthest = node;
        }
    }

    /** Every way to go on: an operation that began before any other that is still to come had ended. */
    private Iterator<Node> next(Node node) {
        long firstEnd = Long.MAX_VALUE;
        for (int i = node.done.nextClearBit(0); i < events.size(); i = node.done.nextClearBit(i + 1)) {
            firstEnd = Math.min(firstEnd, events.get(i).ended());
        }
        Deque<Node> ways = new ArrayDeque<>();
        for (int i = node.done.nextClearBit(0); i < events.size(); i = node.done.nextClearBit(i + 1)) {
            Event event = events.get(i);
            if (event.began() <= firstEnd) {
                for (SlotModel state : node.state.after(event.operation())) {
                    ways.add(node.with(i, state));
                }
            }
        }
        return ways.iterator();
    }

    private String explain() {
        StringBuilder text = new StringBuilder("No order of these operations keeps the laws of the slot.\n");
        for (int i = 0; i < events.size(); i++) {
            text.append(furthest.done.get(i) ? "    " : "  ! ")
                    .append(events.get(i))
                    .append('\n');
        }
        return text.append("Explained is what has no mark; it leaves the slot as ")
                .append(furthest.state)
                .append(", and nothing marked ! can follow.")
                .toString();
    }

    /**
     * An operation within a history.
     *
     * @param who the thread or process that did it
     * @param began a number that rises through the history
     * @param ended the same; {@link Long#MAX_VALUE} where there is no answer
     */
    public record Event(String who, long began, long ended, SlotOperation operation) {}

    private record Node(BitSet done, SlotModel state) {

        Node with(int index, SlotModel next) {
            BitSet more = (BitSet) done.clone();
            more.set(index);
            return new Node(more, next);
        }
    }
}
