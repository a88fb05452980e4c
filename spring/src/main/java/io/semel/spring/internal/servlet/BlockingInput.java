// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A request body that Semel's filter reads as a whole, in its own thread. */
final class BlockingInput extends ServletInputStream {

    private final InputStream in;
    private boolean finished;

    BlockingInput(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        int read = in.read();
        finished = read < 0;
        return read;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int read = in.read(bytes, from, length);
        finished = read < 0;
        return read;
    }

    @Override
    public boolean isFinished() {
        return finished;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
        throw new IllegalStateException("Only Semel's filter reads this body.");
    }
}
