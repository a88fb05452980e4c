// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Filter;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Case 64 of the profile, with the compressing filter on either side. */
@ParameterizedClass
@EnumSource(Container.class)
class CompressionTest extends Service {

    private final Filter gzip = (anyRequest, anyResponse, chain) -> {
        HttpServletRequest request = (HttpServletRequest) anyRequest;
        HttpServletResponse response = (HttpServletResponse) anyResponse;
        if (!"gzip".equals(request.getHeader("Accept-Encoding"))) {
            chain.doFilter(request, response);
            return;
        }
        try (Compressed compressed = new Compressed(response)) {
            chain.doFilter(request, compressed);
        }
    };

    @Test
    void inFrontEveryClientGetsItsOwnCoding() throws Exception {
        front = gzip;

        assertThat(unpacked(send(pay().header("Accept-Encoding", "gzip")))).isEqualTo("payment 1");
        assertThat(send(pay()).text()).isEqualTo("payment 1");
        assertThat(unpacked(send(pay().header("Accept-Encoding", "gzip")))).isEqualTo("payment 1");
        assertThat(effects).hasValue(1);
    }

    @Test
    void behindTheCodingIsTakenOffForClientsThatDoNotAcceptIt() throws Exception {
        behind = gzip;

        Got first = send(pay().header("Accept-Encoding", "gzip"));
        Got packed = send(pay().header("Accept-Encoding", "gzip"));
        Got plain = send(pay());

        assertThat(unpacked(first)).isEqualTo("payment 1");
        assertThat(packed.body()).isEqualTo(first.body());
        assertThat(packed.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(plain.text()).isEqualTo("payment 1");
        assertThat(plain.header("Content-Encoding")).isNull();
    }

    private static String unpacked(Got got) throws IOException {
        assertThat(got.header("Content-Encoding")).isEqualTo("gzip");
        return new String(new GZIPInputStream(new ByteArrayInputStream(got.body())).readAllBytes(), UTF_8);
    }

    /** As small as a compressing filter can be. */
    private static final class Compressed extends HttpServletResponseWrapper implements AutoCloseable {

        private GZIPOutputStream packed;

        Compressed(HttpServletResponse response) {
            super(response);
        }

        @Override
        public void setContentLength(int length) {}

        @Override
        public void setContentLengthLong(long length) {}

        @Override
        public ServletOutputStream getOutputStream() throws IOException {
            setHeader("Content-Encoding", "gzip");
            packed = new GZIPOutputStream(super.getOutputStream());
            return new ServletOutputStream() {
                @Override
                public void write(int next) throws IOException {
                    packed.write(next);
                }

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setWriteListener(WriteListener listener) {
                    throw new UnsupportedOperationException();
                }
            };
        }

        @Override
        public void close() throws IOException {
            if (packed != null) {
                packed.finish();
            }
        }
    }
}
