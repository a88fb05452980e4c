// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The bytes of one body: in memory up to a bound, beyond it in a temporary file that is gone when this is closed. */
final class Spool implements Closeable {

    private static final int CHUNK = 1 << 14;

    private final int inMemory;
    private final long most;
    private ByteArrayOutputStream memory = new ByteArrayOutputStream(512);
    private @Nullable FileChannel file;
    private long size;
    private volatile boolean closed;

    Spool(int inMemory, long most) {
        this.inMemory = inMemory;
        this.most = most;
    }

    void write(byte[] bytes, int from, int length) throws IOException {
        if (closed) {
            throw new IOException("The answer has been sent; nothing can be written to it any more.");
        }
        if (size + length > most) {
            throw new IOException("The answer is larger than " + most + " bytes, which is more than may be held back"
                    + " until it is recorded. Allow more in the filter (largestAnswer), or answer without a key.");
        }
        if (file == null && size + length > inMemory) {
            spill();
        }
        if (file == null) {
            memory.write(bytes, from, length);
        } else {
            append(file, ByteBuffer.wrap(bytes, from, length));
        }
        size += length;
    }

    void clear() throws IOException {
        memory.reset();
        if (file != null) {
            file.truncate(0);
        }
        size = 0;
    }

    long size() {
        return size;
    }

    boolean isSpilled() {
        return file != null;
    }

    byte[] bytes() throws IOException {
        return file == null ? memory.toByteArray() : slice(0, size).readAllBytes();
    }

    void writeTo(OutputStream out) throws IOException {
        if (file == null) {
            memory.writeTo(out);
        } else {
            slice(0, size).transferTo(out);
        }
    }

    InputStream slice(long from, long length) {
        FileChannel spilled = file;
        return spilled == null
                ? new ByteArrayInputStream(memory.toByteArray(), (int) from, (int) length)
                : new Slice(spilled, from, from + length);
    }

    @Override
    public void close() throws IOException {
        closed = true;
        if (file != null) {
            file.close();
        }
    }

    /** Deleted on opening, where the system allows it, so that not even a crash leaves the file. */
    private void spill() throws IOException {
        FileChannel opened = FileChannel.open(
                Files.createTempFile("semel", ".body"),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
        file = opened;
        append(opened, ByteBuffer.wrap(memory.toByteArray()));
        memory = new ByteArrayOutputStream(0);
    }

    private static void append(FileChannel file, ByteBuffer bytes) throws IOException {
        long position = file.size();
        while (bytes.hasRemaining()) {
            position += file.write(bytes, position);
        }
    }

    /** Reads at positions of its own, so that many can read at once. */
    private static final class Slice extends InputStream {

        private final FileChannel file;
        private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK).flip();
        private final long end;
        private long position;

        Slice(FileChannel file, long from, long end) {
            this.file = file;
            this.position = from;
            this.end = end;
        }

        @Override
        public int read() throws IOException {
            return fill() ? chunk.get() & 0xff : -1;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (!fill()) {
                return -1;
            }
            int count = Math.min(length, chunk.remaining());
            chunk.get(bytes, from, count);
            return count;
        }

        @Override
        public int available() {
            return (int) Math.min(Integer.MAX_VALUE, chunk.remaining() + end - position);
        }

        private boolean fill() throws IOException {
            if (chunk.hasRemaining()) {
                return true;
            }
            if (position == end) {
                return false;
            }
            chunk.clear().limit((int) Math.min(chunk.capacity(), end - position));
            int count = file.read(chunk, position);
            if (count < 0) {
                throw new IOException("A temporary file is shorter than what was written to it.");
            }
            position += count;
            chunk.flip();
            return true;
        }
    }
}
