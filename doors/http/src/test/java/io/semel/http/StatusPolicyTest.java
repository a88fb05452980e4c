// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.http.StatusPolicy.Keep;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusPolicyTest {

    private static final Set<Integer> NEVER = Set.of(401, 403, 407, 408, 413, 425, 429, 503);

    @ParameterizedTest
    @EnumSource
    void everyStatusHasItsFate(Keep serverErrors) {
        StatusPolicy policy = StatusPolicy.standard().serverErrors(serverErrors);
        for (int status = 200; status <= 999; status++) {
            Keep expected = NEVER.contains(status) ? Keep.FORGET : status < 500 ? Keep.RECORD : serverErrors;
            assertThat(policy.of(Answer.of(status, new byte[0]), false))
                    .as("%d", status)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whereTheRecordCommitsWithTheEffectNothingIsHeldAndNoServerErrorRecorded(Keep serverErrors) {
        StatusPolicy policy = StatusPolicy.standard().serverErrors(serverErrors).with(409, Keep.HOLD);
        for (int status = 200; status <= 999; status++) {
            boolean recorded = status < 500 && status != 409 && !NEVER.contains(status);
            assertThat(policy.of(Answer.of(status, new byte[0]), true))
                    .as("%d", status)
                    .isEqualTo(recorded ? Keep.RECORD : Keep.FORGET);
        }
    }

    @Test
    void oneStatusCanHaveAFateOfItsOwn() {
        StatusPolicy policy = StatusPolicy.standard().with(504, Keep.HOLD).with(404, Keep.FORGET);

        assertThat(policy.of(Answer.of(504, new byte[0]), false)).isEqualTo(Keep.HOLD);
        assertThat(policy.of(Answer.of(404, new byte[0]), false)).isEqualTo(Keep.FORGET);
        assertThat(policy.of(Answer.of(500, new byte[0]), false)).isEqualTo(Keep.FORGET);
        assertThat(StatusPolicy.standard().of(Answer.of(404, new byte[0]), false))
                .isEqualTo(Keep.RECORD);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 407, 408, 413, 425, 429, 503})
    void answersAboutTheMomentCannotBeRecorded(int status) {
        assertThatThrownBy(() -> StatusPolicy.standard().with(status, Keep.RECORD))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
