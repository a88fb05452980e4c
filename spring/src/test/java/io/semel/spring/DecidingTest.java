// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Outcome;
import io.semel.store.Slot;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;

/** What the actuator's endpoint makes of an operator's words, over HTTP. */
class DecidingTest {

    private static Lost lost;

    private final String id = UUID.randomUUID().toString();
    private final Key payment = Key.of("pay", id);

    @BeforeAll
    static void start() {
        lost = Lost.start();
    }

    @AfterAll
    static void stop() {
        lost.close();
    }

    private void losePayment() {
        lost.service().pay(id);
        lost.unknown(payment, "json");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        "verdict":"resolve","anwser":"{}"                    | There is no parameter 'anwser'. Did you mean 'answer'?
        "verdict":"release","answr":"{}"                     | There is no parameter 'answr'. Did you mean 'answer'?
        "verdit":"release"                                   | There is no parameter 'verdit'. Did you mean 'verdict'?
        "verdict":"resolve","staus":201                      | There is no parameter 'staus'. Did you mean 'status'?
        "verdict":"release","security":"x"                   | The parameters are scope, id, fence, verdict, answer, status, contentType, body, form.
        "verdict":"relase"                                   | There is no verdict 'relase'. Did you mean 'release'?
        "verdict":null                                       | 'verdict' is missing.
        ``                                                   | 'verdict' is missing.
        "answer":"{}"                                        | 'verdict' is missing.
        "verdict":"resolve"                                  | The verdict 'resolve' requires the answer
        "verdict":"resolve","answer":null                    | The verdict 'resolve' requires the answer
        "verdict":"resolve","body":"{}"                      | The verdict 'resolve' requires the answer
        "verdict":"release","answer":"{}"                    | Leave one of them out
        "verdict":"release","status":201                     | Leave one of them out
        "verdict":"release","contentType":"text/plain"       | Leave one of them out
        "verdict":"release","body":"x"                       | Leave one of them out
        "verdict":"release","form":"json"                    | Leave one of them out
        "verdict":"resolve","answer":"{}","form":"utf8"      | stores answers as 'json', not 'utf8'
        "verdict":"resolve","answer":"{}","form":"jsn"       | There is no form 'jsn'. Did you mean 'json'?
        "verdict":"resolve","answer":"{}","status":201       | Give either 'answer'
        "verdict":"resolve","answer":"{}","body":"x"         | Give either 'answer'
        "verdict":"resolve","answer":""                      | not JSON: it is empty
        "verdict":"resolve","answer":"{"                     | The answer is not JSON
        "verdict":"resolve","answer":"[1]"                   | cannot be read as the return type of the method
        "verdict":"resolve","status":201                     | The key belongs to a method
        "verdict":"resolve","status":"many"                  | 'status' must be a whole number
        "verdict":"resolve","status":99                      | Status 99 is not a final HTTP status
        "verdict":"resolve","status":201,"contentType":"x"   | contentType must be a media type
        "verdict":"resolve","status":201,"contentType":"a/b;c=\\"\\n\\""   | contentType must be a media type
        """)
    void whatIsNotUnderstoodIsSaidAndChangesNothing(String said, String why) throws Exception {
        losePayment();
        Slot before = lost.slot(payment);
        Got got = lost.decide(payment, said);
        assertThat(lost.slot(payment).state()).isEqualTo(Slot.State.UNKNOWN);
        assertThat(lost.slot(payment).fence()).isEqualTo(before.fence());
        assertThat(got.status()).isEqualTo(400);
        assertThat(got.text()).contains("\"REFUSED\"", why, "Nothing was changed.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"id":"1","fence":1,"verdict":"release"}                       | 'scope' is missing.
        {"scope":"pay","fence":1,"verdict":"release"}                  | 'id' is missing.
        {"scope":"pay","id":"1","verdict":"release"}                   | 'fence' is missing.
        {"scope":"pay","id":"1","fence":"x","verdict":"release"}       | 'fence' must be a whole number, not 'x'.
        {"scope":"","id":"1","fence":1,"verdict":"release"}            | The scope of a key is empty
        """)
    void whichKeyIsMeantHasToBeSaid(String json, String why) throws Exception {
        Got got = lost.decide(json);
        assertThat(got.status()).isEqualTo(400);
        assertThat(got.text()).contains(why);
    }

    @Test
    void aSlipInTheAddressFreesNothingEither() throws Exception {
        losePayment();
        String seen = "?scope=pay&id=" + id + "&fence=" + lost.slot(payment).fence();
        Got got = lost.web().send("POST", "/actuator/semel" + seen + "&verdict=release&verdict=resolve", "");
        assertThat(got.status()).isEqualTo(400);
        assertThat(got.text()).contains("'verdict' was given more than once.");
        assertThat(lost.slot(payment).state()).isEqualTo(Slot.State.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        ?veiw=unknown       | There is no parameter 'veiw'. Did you mean 'view'?
        ?view=unknwon       | There is no view 'unknwon'. Did you mean 'unknown'?
        ?scope=pay          | give only its id
        ?limit=ten          | 'limit' must be a whole number
        """)
    void aLookThatIsNotUnderstoodIsToldWhy(String query, String why) throws Exception {
        Got got = lost.web().send("GET", "/actuator/semel" + query, "");
        assertThat(got.status()).isEqualTo(400);
        assertThat(got.text()).contains(why);
    }

    @Test
    void whatNobodyKnowsOfIsNotFoundAndSaysSo() throws Exception {
        Got got = lost.web().send("GET", "/actuator/semel?scope=pay&id=" + id, "");
        assertThat(got.status()).isEqualTo(404);
        assertThat(got.text()).contains("NOT_FOUND", "This key is unknown.");
    }

    @Test
    void aReleaseIsAskedForAndLetsARetryRun() throws Exception {
        losePayment();
        assertThat(lost.decide(payment, "\"verdict\":\"release\"").text()).contains("APPLIED");
        assertThat(lost.service().pay(id).number()).isEqualTo("run for " + id);
    }

    @Test
    void aMethodsRetryGetsTheAnswerThatItWasResolvedWith() throws Exception {
        losePayment();
        String said = "\"verdict\":\"resolve\",\"answer\":\"{\\\"number\\\":\\\"R-17\\\"}\"";
        assertThat(lost.decide(payment, said).text()).contains("APPLIED");
        assertThat(lost.service().pay(id).number()).isEqualTo("R-17");
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aMethodThatReturnsNothingIsResolvedWithNull(boolean lapsed) throws Exception {
        Key reminder = Key.of("remind", id);
        lost.service().remind(id);
        if (lapsed) {
            lost.lapsed(reminder, "nothing");
        } else {
            lost.unknown(reminder, "nothing");
        }
        Got got = lost.decide(reminder, "\"verdict\":\"resolve\",\"answer\":\"{}\"");
        assertThat(got.status()).isEqualTo(400);
        assertThat(got.text()).contains("a method that returns nothing");
        assertThat(lost.decide(reminder, "\"verdict\":\"resolve\",\"answer\":\"null\"")
                        .text())
                .contains("APPLIED");
        lost.service().remind(id);
        assertThat(lost.service().reminded()).containsOnlyOnce(id);
    }

    @Test
    void aLapsedKeyOfAnotherServiceIsWrittenOnlyInTheFormThatIsNamed() throws Exception {
        Call call = Call.of(Key.of("grpc/alice", id), Fingerprint.none());
        Engine program = Engine.on(lost.store());
        ((Begun.Started<String>) program.begin(call, Codec.utf8())).abandon();

        for (String answer : List.of("\"answer\":\"{}\"", "\"status\":201")) {
            Got got = lost.decide(call.key(), "\"verdict\":\"resolve\"," + answer);
            assertThat(got.text()).contains("Name the 'form'", "Nothing was changed.");
            assertThat(got.status()).isEqualTo(400);
            assertThat(lost.slot(call.key()).state()).isEqualTo(Slot.State.LAPSED);
        }
        assertThat(lost.decide(call.key(), "\"verdict\":\"resolve\",\"answer\":\"paid\",\"form\":\"utf8\"")
                        .text())
                .contains("APPLIED");
        assertThat(program.run(call, Codec.utf8(), attempt -> "run again")).isEqualTo(new Outcome.Done<>("paid", true));
    }

    @Test
    void anAnswerThatIsNoTextFreesNothing() throws Exception {
        losePayment();
        Got got = lost.decide(payment, "\"verdict\":\"resolve\",\"answer\":{\"number\":\"R-17\"}");
        assertThat(got.status()).isEqualTo(400);
        assertThat(lost.slot(payment).state()).isEqualTo(Slot.State.UNKNOWN);
    }

    @Test
    void aReactiveServiceRefusesASlipToo() throws Exception {
        String exposure = "management.endpoints.web.exposure.include=semel";
        try (Lost reactive = Lost.start(WebApplicationType.REACTIVE, WebFluxTest.WITHOUT_SECURITY, exposure)) {
            reactive.service().pay(id);
            reactive.unknown(payment, "json");
            Got got = reactive.decide(payment, "\"verdict\":\"release\",\"anwser\":\"{}\"");
            assertThat(got.status()).isEqualTo(400);
            assertThat(got.text()).contains("Did you mean 'answer'?");
            assertThat(reactive.slot(payment).state()).isEqualTo(Slot.State.UNKNOWN);
            assertThat(reactive.decide(payment, "\"verdict\":\"release\"").text())
                    .isEqualTo("{\"result\":\"APPLIED\"}");
        }
    }

    @Test
    void overJmxAReleaseIsAskedForToo() throws Exception {
        try (Lost managed = Lost.start("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=semel")) {
            managed.service().pay(id);
            managed.unknown(payment, "json");
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            ObjectName name = new ObjectName("org.springframework.boot:type=Endpoint,name=Semel");
            MBeanParameterInfo[] parameters = Arrays.stream(
                            server.getMBeanInfo(name).getOperations())
                    .filter(each -> each.getName().equals("decide"))
                    .findFirst()
                    .orElseThrow()
                    .getSignature();
            Object[] said = new Object[parameters.length];
            List.of("pay", id, managed.slot(payment).fence(), "release").toArray(said);
            String[] types =
                    Arrays.stream(parameters).map(MBeanParameterInfo::getType).toArray(String[]::new);
            assertThat(server.invoke(name, "decide", said, types)).hasToString("{result=APPLIED}");
            assertThat(managed.store().look(payment)).isEmpty();
        }
    }
}
