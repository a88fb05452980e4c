// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.client.GatewayTable.Row;
import io.semel.client.Result.CarriedOut;
import io.semel.client.Server.Act;
import io.semel.client.Transport.Evidence;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the client makes of what the gateway refuses by itself, of each problem that docs/gateway.md lists. */
class GatewayRefusalTest {

    private static final RetryPolicy ONE_MORE = RetryPolicy.standard()
            .pauses(Duration.ofMillis(1), Duration.ofMillis(10))
            .deadline(Duration.ofSeconds(20))
            .budget(1, 0);

    private final RetryingClient client =
            RetryingClient.over(HttpClient.newHttpClient()).with(ONE_MORE);

    static List<Row> rows() throws IOException {
        return GatewayTable.rows();
    }

    private static Act refusal(Row row) {
        return Act.problem(row.status(), row.slug(), "Cache-Control: no-store", "Retry-After: 0");
    }

    private static CarriedOut carriedOut(Evidence evidence) {
        return switch (evidence) {
            case CARRIED_OUT -> CarriedOut.YES;
            case MAYBE -> CarriedOut.UNKNOWN;
            default -> CarriedOut.NO;
        };
    }

    @ParameterizedTest
    @MethodSource("rows")
    void whetherAnythingWasRunIsWhatThePageSays(Row row) throws IOException {
        try (Server gateway = Server.doing(refusal(row))) {
            assertThat(client.send(gateway.pay()).carriedOut()).isEqualTo(carriedOut(row.evidence()));
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void oneDoubtIsEnough(Row row) throws IOException {
        try (Server gateway = Server.doing(Act.reset(), refusal(row))) {
            CarriedOut expected = row.evidence() == Evidence.CARRIED_OUT ? CarriedOut.YES : CarriedOut.UNKNOWN;
            assertThat(client.send(gateway.pay()).carriedOut()).isEqualTo(expected);
            assertThat(gateway.received).hasSize(2);
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aReplayWithSuchATypeIsAnAnswer(Row row) throws IOException {
        Act replay = Act.problem(row.status(), row.slug(), "Idempotent-Replayed: true");
        try (Server gateway = Server.doing(replay)) {
            assertThat(client.send(gateway.pay()).carriedOut()).isEqualTo(CarriedOut.YES);
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void onlyWhatPassesIsSentAgain(Row row) throws IOException {
        boolean passes = List.of(408, 429, 500, 502, 503, 504).contains(row.status());
        try (Server gateway = Server.doing(refusal(row), Act.answer(201, "paid"))) {
            client.send(gateway.pay());
            assertThat(gateway.received).hasSize(passes ? 2 : 1);
        }
    }

    @Test
    void theGatewayKeepsItsNamesWhereTheServiceHasPagesOfItsOwn() throws IOException {
        RetryingClient paged = client.problemBase("https://bank.example/problems/");
        try (Server gateway = Server.doing(Act.problem(503, "overloaded", "Retry-After: 0"))) {
            assertThat(paged.send(gateway.pay()))
                    .isInstanceOfSatisfying(
                            Result.Refused.class,
                            refused -> assertThat(refused.problem()).isEqualTo(ProblemType.OVERLOADED));
        }
    }

    @Test
    void theTableOfTheClientIsThatOfThePage() throws IOException {
        Map<String, Evidence> page = new TreeMap<>();
        for (Row row : rows()) {
            // What says no more than its status does is left to that.
            boolean odd = row.evidence() == Evidence.MAYBE && row.status() < 500;
            if (row.evidence() == Evidence.NOT_RUN || row.evidence() == Evidence.CARRIED_OUT || odd) {
                page.put(row.slug(), row.evidence());
            }
        }
        Map<String, Evidence> ours = new TreeMap<>();
        for (ProblemType problem : ProblemType.values()) {
            if (problem.isGateways()) {
                ours.put(problem.slug(), problem.evidence());
            }
        }
        assertThat(ours).isNotEmpty().isEqualTo(page);
    }
}
