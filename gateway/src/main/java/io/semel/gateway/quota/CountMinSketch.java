// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.quota;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts for any number of names in memory of a fixed size: each name has a cell in every row, which it may share, and its count is the
 * least of them. So it is never too low; it is too high only where others have a part in all of its cells.
 */
final class CountMinSketch {

    static final int ROWS = 4;
    static final int WIDTH = 1 << 15;

    private final AtomicLongArray cells = new AtomicLongArray(ROWS * WIDTH);

    void add(int[] places, long amount) {
        for (int row = 0; row < ROWS; row++) {
            cells.addAndGet(cell(row, places), amount);
        }
    }

    long count(int[] places) {
        long least = Long.MAX_VALUE;
        for (int row = 0; row < ROWS; row++) {
            least = Math.min(least, cells.get(cell(row, places)));
        }
        return least;
    }

    private static int cell(int row, int[] places) {
        return row * WIDTH + (places[row] & (WIDTH - 1));
    }
}
