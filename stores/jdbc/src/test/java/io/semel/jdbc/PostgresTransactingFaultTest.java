// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Outcome.Done;
import io.semel.OutcomeUnknown;
import io.semel.testkit.fault.Wire;
import io.semel.testkit.fault.Wire.Moment;
import org.junit.jupiter.api.Test;

class PostgresTransactingFaultTest extends TransactingFaultContract {

    @Override
    Wired open() {
        return Postgres.killable().wired("transacting_faults");
    }

    @Test
    void withoutALockACommitThatIsNotFoundIsUnknown() throws Exception {
        assertThatThrownBy(() -> charge(store.optimistic(), Moment.BEFORE, Wire.Failure.CUT))
                .isInstanceOf(OutcomeUnknown.class);
        assertThat(charge(store).orThrow()).isEqualTo("charged");
        assertThat(charges()).isEqualTo(1);
    }

    @Test
    void withoutALockACommitThatIsFoundIsKnown() throws Exception {
        assertThat(charge(store.optimistic(), Moment.AFTER, Wire.Failure.CUT)).isEqualTo(new Done<>("charged", false));
        assertThat(runs).hasValue(1);
        assertThat(charges()).isEqualTo(1);
    }
}
