// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.http.Answer.Header;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 61 to 64 of the profile: which headers a replay has. */
class HeaderCasesTest extends PaymentService {

    @Test
    void case61_nothingThatBelongsToOneConnectionIsReplayed() {
        door = door(HttpRules.standard().replayHeaders("X-Foo", "X-Kept"));
        handler = answering(
                new Header("Connection", "X-Foo, keep-alive"),
                new Header("connection", " Link ,"),
                new Header("X-Foo", "1"),
                new Header("Link", "</next>"),
                new Header("Keep-Alive", "timeout=5"),
                new Header("Transfer-Encoding", "chunked"),
                new Header("Proxy-Authenticate", "Basic"),
                new Header("Upgrade", "h2c"),
                new Header("X-Kept", "1"));
        send(PAY);

        assertThat(send(PAY).headers())
                .containsExactly(new Header("X-Kept", "1"), new Header("Idempotent-Replayed", "true"));
    }

    @Test
    void case62_nothingThatBelongsToOneExchangeOrSessionIsReplayed() {
        handler = answering(
                new Header("Set-Cookie", "a=1; Expires=Sun, 15 Nov 2026 10:00:00 GMT"),
                new Header("Set-Cookie", "b=2"),
                new Header("WWW-Authenticate", "Bearer"),
                new Header("Authentication-Info", "x"),
                new Header("Clear-Site-Data", "\"*\""),
                new Header("X-Request-Id", "1"),
                new Header("traceparent", "00-1-1-01"),
                new Header("Server-Timing", "db;dur=1"),
                new Header("RateLimit", "limit=10"),
                new Header("X-RateLimit-Remaining", "9"),
                new Header("Access-Control-Allow-Origin", "*"),
                new Header("Vary", "Origin"),
                new Header("Age", "0"),
                new Header("Via", "1.1 x"),
                new Header("Alt-Svc", "h3"),
                new Header("Retry-After", "3"),
                new Header("X-Anything", "else"));
        send(PAY);

        assertThat(send(PAY).headers()).containsExactly(new Header("Idempotent-Replayed", "true"));
    }

    @Test
    void case62_cookiesThatAreListedComeBackLineByLine() {
        door = door(HttpRules.standard().replayHeaders("set-cookie"));
        Header first = new Header("Set-Cookie", "a=1; Expires=Sun, 15 Nov 2026 10:00:00 GMT");
        Header second = new Header("Set-Cookie", "b=2");
        handler = answering(first, new Header("Location", "/1"), second);
        send(PAY);

        assertThat(send(PAY).headers())
                .containsExactly(
                        first, new Header("Location", "/1"), second, new Header("Idempotent-Replayed", "true"));
    }

    @Test
    void whatDescribesTheAnswerIsReplayed() {
        Header[] headers = {
            new Header("Content-Type", "application/json"),
            new Header("Content-Language", "tr"),
            new Header("Content-Disposition", "attachment; filename=\"\u00fc\""),
            new Header("Location", "/payments/1"),
            new Header("Content-Location", "/payments/1"),
            new Header("ETag", "\"1\""),
            new Header("Last-Modified", "Sun, 15 Nov 2026 10:00:00 GMT"),
            new Header("Link", "</a>; rel=a, </b>; rel=b"),
            new Header("LINK", "</c>; rel=c"),
            new Header("Cache-Control", "no-store"),
            new Header("Deprecation", "@1688169599"),
            new Header("Sunset", "Sun, 15 Nov 2026 10:00:00 GMT"),
            new Header("Allow", "GET"),
        };
        handler = answering(headers);
        send(PAY);

        List<Header> replayed = send(PAY).headers();

        assertThat(replayed.subList(0, headers.length)).containsExactly(headers);
        assertThat(replayed).hasSize(headers.length + 1);
    }

    @Test
    void case63_dateAndContentLengthAreLeftToTheServer() {
        handler = answering(new Header("Date", "Sun, 15 Nov 2026 10:00:00 GMT"), new Header("Content-Length", "999"));
        send(PAY);

        assertThat(send(PAY).headers()).containsExactly(new Header("Idempotent-Replayed", "true"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Date",
                "content-length",
                "Connection",
                "Transfer-Encoding",
                "Upgrade",
                "Proxy-Authenticate",
                "TE",
                "Idempotent-Replayed",
                "Trailer",
                "Keep-Alive"
            })
    void whatIsNeverReplayedCannotBeListed(String name) {
        assertThatThrownBy(() -> HttpRules.standard().replayHeaders(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aMarkerOfTheHandlersOwnIsNotDoubled() {
        handler = answering(new Header("Idempotent-Replayed", "true"));
        send(PAY);

        assertThat(send(PAY).headers()).containsExactly(new Header("Idempotent-Replayed", "true"));
    }

    @Test
    void headersThatHttpCannotCarryAreNotStoredAndTheAnswerStillIs() {
        door = door(HttpRules.standard().replayHeaders("X Y", "X-Split"));
        handler = answering(
                new Header("X Y", "1"), new Header("X-Split", "a\r\nSet-Cookie: b"), new Header("ETag", "\u0000"));
        assertThat(send(PAY).status()).isEqualTo(201);

        Answer again = send(PAY);

        assertThat(again.status()).isEqualTo(201);
        assertThat(again.headers()).containsExactly(new Header("Idempotent-Replayed", "true"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "br, deflate", "gzip;q=0", "gzip; q=0.000", "*;q=0", "", "none"})
    void case64_aRetryThatDoesNotAcceptGzipGetsTheAnswerPlain(String accept) {
        handler = this::gzipped;
        send(PAY.header("Accept-Encoding", "gzip"));

        Answer plain = send(PAY.header("Accept-Encoding", accept));

        assertThat(text(plain)).isEqualTo("payment 1");
        assertThat(plain.header("Content-Encoding")).isEmpty();
        assertThat(plain.header("ETag")).hasValue("W/\"1\"");
        assertThat(replayed(plain)).isTrue();
        assertThat(effects).hasValue(1);
    }

    @Test
    void case64_aRetryThatSaysNothingGetsTheAnswerPlain() {
        handler = this::gzipped;
        send(PAY.header("Accept-Encoding", "gzip"));

        assertThat(text(send(PAY))).isEqualTo("payment 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "GZIP", "br;q=1, gzip;q=0.5", "*", "deflate, *;q=0.1", "gzip;q=0.001"})
    void case64_aRetryThatAcceptsGzipGetsTheBytesThatWereStored(String accept) {
        handler = this::gzipped;
        Answer first = send(PAY);

        Answer again = send(PAY.header("Accept-Encoding", accept));

        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.header("Content-Encoding")).hasValue("gzip");
        assertThat(again.header("ETag")).hasValue("\"1\"");
    }

    @ParameterizedTest
    @CsvSource({
        "br, gzip, 406",
        "br, br, 201",
        "br, , 201",
        "'gzip, br', gzip, 406",
        "identity, gzip, 201",
        "zstd, identity, 406"
    })
    void case64_aCodingThatCannotBeTakenOffIsAProblemOnlyForThoseWhoDoNotAcceptIt(
            String coding, String accept, int status) {
        handler = message -> charge(message).with("Content-Encoding", coding);
        send(PAY);

        Answer again = send(accept == null ? PAY : PAY.header("Accept-Encoding", accept));

        assertThat(again.status()).isEqualTo(status);
        assertThat(problem(again)).isEqualTo(status == 406 ? "coding-not-acceptable" : "");
        assertThat(effects).hasValue(1);
    }

    @Test
    void case64_aBodyThatIsNotWhatItsCodingSaysIsAProblemForThoseWhoDoNotAcceptIt() {
        handler = message -> charge(message).with("Content-Encoding", "gzip");
        send(PAY);

        assertThat(send(PAY).status()).isEqualTo(406);
        assertThat(send(PAY.header("Accept-Encoding", "gzip")).status()).isEqualTo(201);
    }

    @Test
    void case64_aBodyThatUnpacksWithoutEndIsNotUnpacked() {
        byte[] bomb = gzip(new byte[(1 << 20) + 1]);
        handler = message -> Answer.of(200, bomb).with("Content-Encoding", "gzip");
        send(PAY);

        assertThat(send(PAY).status()).isEqualTo(406);
        assertThat(send(PAY.header("Accept-Encoding", "gzip")).body()).isEqualTo(bomb);
    }

    private static Function<Message, Answer> answering(Header... headers) {
        return message -> new Answer(201, List.of(headers), "paid".getBytes(UTF_8));
    }

    private Answer gzipped(Message message) {
        return Answer.of(201, gzip(charge(message).body()))
                .with("Content-Encoding", "gzip")
                .with("ETag", "\"1\"");
    }

    private static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
