// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client that counts by itself makes of what it is told. */
class NumberingAnswerTest extends NumberedCalls {

    @Test
    void metadataOfACallComesWithEveryAttempt() throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            onFirst(line::cut);
            Metadata binary = new Metadata();
            binary.put(TRACE, new byte[] {0, -1, 10});

            pay(numbers, CallOptions.DEFAULT, tenant("seven"), MetadataUtils.newAttachHeadersInterceptor(binary));

            assertThat(seen).hasSizeGreaterThan(1).allSatisfy(each -> {
                assertThat(each.get(TENANT)).isEqualTo("seven");
                assertThat(each.get(TRACE)).containsExactly(0, -1, 10);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "CANCELLED",
                "UNKNOWN",
                "DEADLINE_EXCEEDED",
                "RESOURCE_EXHAUSTED",
                "ABORTED",
                "INTERNAL",
                "UNAVAILABLE",
                "DATA_LOSS"
            })
    void aFailureThatTheServerForgetsIsFollowedByAnotherAttempt(Status.Code code) throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            onFirst(() -> {
                throw code.toStatus().asRuntimeException();
            });

            assertThat(pay(numbers)).isEqualTo("pay 2");
            assertThat(numbers()).containsExactly("1", "1");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAUTHENTICATED", "PERMISSION_DENIED", "UNIMPLEMENTED", "NOT_FOUND"})
    void whatWillNotChangeIsNotAskedForAgain(Status.Code code) throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            onFirst(() -> {
                throw code.toStatus().asRuntimeException();
            });

            assertThat(refusal(() -> pay(numbers))).isEqualTo(code + " null");
            assertThat(counter.runs).hasValue(1);
            assertThat(numbers.session().outstanding()).isEmpty();
        }
    }

    @Test
    void anErrorOfTheServiceIsAnAnswer() throws Exception {
        counter.handler = request -> {
            counter.runs.incrementAndGet();
            throw Status.FAILED_PRECONDITION.withDescription("no money").asRuntimeException();
        };
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            StatusRuntimeException refused = failure(() -> pay(numbers));

            assertThat(refused.getStatus().getDescription()).isEqualTo("no money");
            assertThat(Counter.refused(refused)).isEqualTo("FAILED_PRECONDITION null");
            assertThat(numbers.session().outstanding()).isEmpty();
        }
    }

    @Test
    void whatAServiceBehindTheServiceRefusedIsNotTakenForThisSessions() throws Exception {
        counter.handler = request -> {
            throw Status.FAILED_PRECONDITION.asRuntimeException(MetadataKeys.refused("session-expired"));
        };
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            assertThat(refusal(() -> pay(numbers))).isEqualTo("FAILED_PRECONDITION null");
            assertThat(numbers.session().isOver()).isFalse();
        }
    }
}
