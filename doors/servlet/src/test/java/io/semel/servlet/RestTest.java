// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.net.URI;
import java.util.Collections;
import java.util.Enumeration;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Jakarta REST, by Jersey, behind the filter. */
@ParameterizedClass
@EnumSource(Container.class)
class RestTest extends Service {

    /** Held, because loggers that nobody holds forget their level. */
    private static final Logger LOUD = Logger.getLogger("org.glassfish.jersey");

    private ServletContainer jersey;

    @BeforeEach
    void useJersey() {
        LOUD.setLevel(Level.OFF);
        handler = (request, response) -> jersey(request.getServletContext()).service(request, response);
    }

    @Test
    void anEntityIsReplayed() throws Exception {
        isReplayed("/plain", 201, "payment 1 {}");
    }

    @Test
    void aStreamThatEndsIsReplayed() throws Exception {
        isReplayed("/streaming", 200, "1 2 3 ");
    }

    @Test
    void anAnswerThatIsResumedLaterIsReplayed() throws Exception {
        isReplayed("/later", 200, "payment 1");
    }

    @Test
    void anAnswerWithoutAnEntityIsReplayed() throws Exception {
        isReplayed("/nothing", 204, "");
    }

    @Test
    void anExceptionThatIsAnAnswerIsReplayed() throws Exception {
        isReplayed("/refusing", 400, "not so");
    }

    @Test
    void whatAResourceThrowsForgetsTheKey() throws Exception {
        assertThat(send(at("/throwing")).status()).isEqualTo(500);
        assertThat(send(at("/throwing")).replayed()).isFalse();
        assertThat(effects).hasValue(2);
        assertThat(records()).isZero();
    }

    @Test
    void aResourceThatIsSuspendedForTooLongIsForgottenWithIts503() throws Exception {
        assertThat(send(at("/never")).status()).isEqualTo(503);
        assertThat(records()).isZero();
    }

    private void isReplayed(String path, int status, String text) throws IOException {
        Got first = send(at(path));
        Got retry = send(at(path));
        assertThat(first.status()).isEqualTo(status);
        assertThat(first.text()).isEqualTo(text);
        assertThat(retry.status()).isEqualTo(status);
        assertThat(retry.body()).isEqualTo(first.body());
        assertThat(retry.headers("Location")).isEqualTo(first.headers("Location"));
        assertThat(retry.replayed()).isTrue();
        assertThat(effects).hasValue(1);
    }

    private Sent at(String path) {
        return Sent.post(path).key(key).header("Content-Type", "text/plain").body("{}");
    }

    private synchronized ServletContainer jersey(ServletContext context) throws ServletException {
        if (jersey == null) {
            jersey = new ServletContainer(new ResourceConfig().register(new Payments(effects)));
            jersey.init(new Config(context));
        }
        return jersey;
    }

    /** What is served. */
    @Path("/")
    public static final class Payments {

        private final AtomicInteger effects;

        Payments(AtomicInteger effects) {
            this.effects = effects;
        }

        @POST
        @Path("plain")
        public Response plain(String body) {
            return Response.created(URI.create("/payments/1"))
                    .entity("payment " + effects.incrementAndGet() + " " + body)
                    .build();
        }

        @POST
        @Path("streaming")
        public StreamingOutput streaming() {
            effects.incrementAndGet();
            return out -> {
                for (int i = 1; i <= 3; i++) {
                    out.write((i + " ").getBytes(UTF_8));
                    out.flush();
                }
            };
        }

        @POST
        @Path("later")
        public void later(@Suspended AsyncResponse response) {
            ForkJoinPool.commonPool().execute(() -> response.resume("payment " + effects.incrementAndGet()));
        }

        @POST
        @Path("nothing")
        public void nothing() {
            effects.incrementAndGet();
        }

        @POST
        @Path("refusing")
        public String refusing() {
            effects.incrementAndGet();
            throw new BadRequestException(Response.status(400).entity("not so").build());
        }

        @POST
        @Path("throwing")
        public String throwing() {
            effects.incrementAndGet();
            throw new IllegalStateException("no connection");
        }

        @POST
        @Path("never")
        public void never(@Suspended AsyncResponse response) {
            response.setTimeout(50, TimeUnit.MILLISECONDS);
        }
    }

    private record Config(ServletContext context) implements ServletConfig {

        @Override
        public String getServletName() {
            return "jersey";
        }

        @Override
        public ServletContext getServletContext() {
            return context;
        }

        @Override
        public String getInitParameter(String name) {
            return null;
        }

        @Override
        public Enumeration<String> getInitParameterNames() {
            return Collections.emptyEnumeration();
        }
    }
}
