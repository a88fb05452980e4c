// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WindowQuotaTest {

    @Test
    void aQuotaIsNewWithItsWindow() {
        AtomicLong now = new AtomicLong();
        WindowQuota quota = new WindowQuota(2, 1000, Duration.ofNanos(100), now::get);
        assertThat(quota.take("a")).isNotNull();
        assertThat(quota.take("a")).isNotNull();
        assertThat(quota.take("a")).isNull();
        assertThat(quota.take("b")).isNotNull();
        WindowQuota.Room late = quota.take("b");
        assertThat(quota.left()).isEqualTo(Duration.ofNanos(100));
        now.set(100);
        late.back();
        WindowQuota.Room room = quota.take("a");
        assertThat(room).isNotNull();
        room.add(1000);
        assertThat(quota.take("a")).isNull();
        room.back();
        assertThat(quota.take("a")).isNull();
        now.set(200);
        assertThat(quota.take("a")).isNotNull();
    }

    /** A hundred thousand others, and nobody is refused for them; what counts them does not grow. */
    @Test
    void manyOthersDoNotUseUpAQuota() {
        WindowQuota quota = new WindowQuota(100, 0, Duration.ofHours(1), () -> 0);
        for (int i = 0; i < 100_000; i++) {
            assertThat(quota.take("other " + i)).isNotNull();
        }
        for (int i = 0; i < 80; i++) {
            assertThat(quota.take("me")).isNotNull();
        }
    }
}
