// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.function.Supplier;

/** The stream that a handler writes to while its answer is held back. */
final class BufferedOutput extends ServletOutputStream {

    private final Spool spool;
    private final Supplier<AsyncContext> async;
    private boolean closed;
    private boolean listening;

    BufferedOutput(Spool spool, Supplier<AsyncContext> async) {
        this.spool = spool;
        this.async = async;
    }

    @Override
    public void write(int next) throws IOException {
        write(new byte[] {(byte) next}, 0, 1);
    }

    /** After the handler has closed it, or has sent an error or a redirect, more is dropped, as containers do. */
    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (!closed) {
            spool.write(bytes, from, length);
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    /** It is always possible to write, so the listener is called once, by a thread of the container. */
    @Override
    public void setWriteListener(WriteListener listener) {
        if (listening) {
            throw new IllegalStateException("The answer has a WriteListener already.");
        }
        listening = true;
        async.get().start(() -> {
            try {
                listener.onWritePossible();
            } catch (IOException | RuntimeException e) {
                listener.onError(e);
            }
        });
    }
}
