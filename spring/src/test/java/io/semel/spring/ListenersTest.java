// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Event;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Listener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Beans that are told what becomes of calls. */
class ListenersTest {

    private final List<Event> heard = new CopyOnWriteArrayList<>();

    @Test
    void oneThatThrowsSilencesNoOther() {
        Apps.inMemory()
                .withBean("first", Listener.class, () -> event -> {
                    throw new IllegalStateException("for a test");
                })
                .withBean("second", Listener.class, () -> heard::add)
                .run(context -> {
                    Call call = Call.of(Key.of("payments", "1"), Fingerprint.none());
                    context.getBean(Engine.class).run(call, Codec.utf8(), attempt -> "paid");
                });

        assertThat(heard).hasExactlyElementsOfTypes(Event.Executed.class);
    }
}
