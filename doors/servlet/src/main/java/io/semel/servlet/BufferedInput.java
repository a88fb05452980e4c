// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;

/** A body that was read already, read once more by the handler. */
final class BufferedInput extends ServletInputStream {

    private final InputStream body;
    private final Supplier<AsyncContext> async;
    private long left;
    private boolean listening;

    BufferedInput(Spool body, Supplier<AsyncContext> async) {
        this.body = body.slice(0, body.size());
        this.left = body.size();
        this.async = async;
    }

    @Override
    public int read() throws IOException {
        int next = body.read();
        left -= next < 0 ? 0 : 1;
        return next;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int count = body.read(bytes, from, length);
        left -= Math.max(0, count);
        return count;
    }

    /** The length is known, so no growing buffer is needed. */
    @Override
    public byte[] readAllBytes() throws IOException {
        return readNBytes(Integer.MAX_VALUE);
    }

    @Override
    public byte[] readNBytes(int most) throws IOException {
        byte[] bytes = body.readNBytes(most);
        left -= bytes.length;
        return bytes;
    }

    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, left);
    }

    @Override
    public boolean isFinished() {
        return left == 0;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    /** Everything is there, so the listener is called once, by a thread of the container. */
    @Override
    public void setReadListener(ReadListener listener) {
        if (listening) {
            throw new IllegalStateException("The body has a ReadListener already.");
        }
        listening = true;
        async.get().start(() -> {
            try {
                if (!isFinished()) {
                    listener.onDataAvailable();
                }
                if (isFinished()) {
                    listener.onAllDataRead();
                }
            } catch (IOException | RuntimeException e) {
                listener.onError(e);
            }
        });
    }
}
