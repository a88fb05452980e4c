// SPDX-License-Identifier: Apache-2.0
package io.semel.memory;

import org.jspecify.annotations.Nullable;

/**
 * A hash table of cells with open addressing. Beside each cell it keeps one long, its tag (a hash that is never zero) and
 * the second it is due to expire, so that neither probing nor sweeping has to touch cells that do not matter.
 */
final class CellTable {

    static final int NEVER = Integer.MAX_VALUE;

    private static final int SMALLEST = 16;

    private long[] marks = new long[SMALLEST];
    private byte[][] cells = new byte[SMALLEST][];
    private int size;
    private int hand;

    /** The index of the key's cell, or -1. */
    int find(Address at) {
        int tag = at.tag();
        int mask = marks.length - 1;
        for (int i = tag & mask; marks[i] != 0; i = (i + 1) & mask) {
            if (tag(i) == tag && Cell.isAt(cells[i], at)) {
                return i;
            }
        }
        return -1;
    }

    byte[] cell(int index) {
        return cells[index];
    }

    void add(int tag, byte[] cell, int due) {
        if ((size + 1) * 4L > marks.length * 3L) {
            resize(marks.length * 2);
        }
        place(mark(tag, due), cell);
        size++;
    }

    void replace(int index, byte[] cell, int due) {
        marks[index] = mark(tag(index), due);
        cells[index] = cell;
    }

    /** Closes the gap by moving up what was displaced over it, so that no tombstones slow later searches. */
    void remove(int index) {
        int mask = marks.length - 1;
        int gap = index;
        for (int i = (gap + 1) & mask; marks[i] != 0; i = (i + 1) & mask) {
            int home = tag(i) & mask;
            boolean reachable = gap <= i ? gap < home && home <= i : gap < home || home <= i;
            if (!reachable) {
                marks[gap] = marks[i];
                cells[gap] = cells[i];
                gap = i;
            }
        }
        marks[gap] = 0;
        clear(gap);
        size--;
        if (size * 8L < marks.length && marks.length > SMALLEST) {
            resize(marks.length / 2);
        }
    }

    /** The place after the last one that was asked for, round and round. */
    int next() {
        hand = (hand + 1) & (marks.length - 1);
        return hand;
    }

    /** Whether the cell there, if any, is over in this second or before. */
    boolean isDue(int index, int second) {
        return marks[index] != 0 && (int) marks[index] <= second;
    }

    int capacity() {
        return marks.length;
    }

    byte @Nullable [] cellAt(int index) {
        return marks[index] == 0 ? null : cells[index];
    }

    private void place(long mark, byte[] cell) {
        int mask = marks.length - 1;
        int i = (int) (mark >>> 32) & mask;
        while (marks[i] != 0) {
            i = (i + 1) & mask;
        }
        marks[i] = mark;
        cells[i] = cell;
    }

    private void resize(int capacity) {
        long[] oldMarks = marks;
        byte[][] oldCells = cells;
        marks = new long[capacity];
        cells = new byte[capacity][];
        for (int i = 0; i < oldMarks.length; i++) {
            if (oldMarks[i] != 0) {
                place(oldMarks[i], oldCells[i]);
            }
        }
    }

    @SuppressWarnings("NullAway") // an empty place is told by its mark, and its cell is never read
    private void clear(int index) {
        cells[index] = null;
    }

    private int tag(int index) {
        return (int) (marks[index] >>> 32);
    }

    private static long mark(int tag, int due) {
        // Masked, because a store's time may be set back to before its birth, and a negative second must not reach the
        // tag.
        return (long) tag << 32 | (due & 0xffff_ffffL);
    }
}
