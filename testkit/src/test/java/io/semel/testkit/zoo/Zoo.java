// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** All wrong stores: the nested classes of the permitted ones, so that none can be left out. */
sealed interface Zoo
        permits Claimers,
                Takers,
                Repeaters,
                Settlers,
                Releasers,
                Renewers,
                Manglers,
                Keepers,
                Peekers,
                Fencers,
                Clocks,
                Failers,
                Namers,
                Batchers,
                Racers,
                Blockers,
                Lookers,
                Pagers,
                Amenders,
                Purgers,
                Losers {

    static List<Class<? extends PlainStore>> animals() {
        return Arrays.stream(Zoo.class.getPermittedSubclasses())
                .flatMap(theme -> Arrays.stream(theme.getDeclaredClasses()))
                .<Class<? extends PlainStore>>map(animal -> animal.asSubclass(PlainStore.class))
                .sorted(Comparator.comparing(Class::getName))
                .toList();
    }
}
