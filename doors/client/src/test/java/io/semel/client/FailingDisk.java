// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.internal.journal.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** The local disk, until it is told to fail. */
final class FailingDisk implements Disk {

    /** What may fail. */
    enum Step {
        CREATE,
        WRITE,
        SYNC,
        CUT,
        REPLACE
    }

    final Set<Step> failing = EnumSet.noneOf(Step.class);

    @Override
    public void create(Path path) throws IOException {
        check(Step.CREATE);
        LOCAL.create(path);
    }

    @Override
    public Tail open(Path path) throws IOException {
        Tail tail = LOCAL.open(path);
        return new Tail() {
            @Override
            public void write(long at, byte[] bytes) throws IOException {
                if (failing.contains(Step.WRITE)) {
                    tail.write(at, Arrays.copyOf(bytes, bytes.length / 2));
                }
                check(Step.WRITE);
                tail.write(at, bytes);
            }

            @Override
            public void sync() throws IOException {
                check(Step.SYNC);
                tail.sync();
            }

            @Override
            public void cut(long length) throws IOException {
                check(Step.CUT);
                tail.cut(length);
            }

            @Override
            public void close() throws IOException {
                tail.close();
            }
        };
    }

    @Override
    public void replace(Path from, Path to) throws IOException {
        check(Step.REPLACE);
        LOCAL.replace(from, to);
    }

    private void check(Step step) throws IOException {
        if (failing.contains(step)) {
            throw new IOException("No space left on device, at " + step);
        }
    }
}
