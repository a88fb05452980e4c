// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.StoreException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreUrlTest {

    @ParameterizedTest
    @CsvSource({
        "postgresql://me:hush@db:5432/shop, postgresql://me:…@db:5432/shop",
        "postgresql://me:a@hush@db/shop, postgresql://me:…@db/shop",
        "postgresql://me:hu/sh@db/shop, postgresql://me:…@db/shop",
        "postgresql://db/shop?user=me&password=hush&ssl=true, postgresql://db/shop?user=me&password=…&ssl=true",
        "mariadb://me@db/shop?trustStorePassword=hush, mariadb://me@db/shop?trustStorePassword=…",
        "redis://:hush@cache:6379, redis://…@cache:6379",
        "redis://hush@cache:6379, redis://…@cache:6379",
        "redis://cache:6379, redis://cache:6379",
        "rocksdb:./semel-data, rocksdb:./semel-data",
    })
    void whatIsShownOfAUrlHasNoPasswordInIt(String url, String shown) {
        assertThat(StoreUrl.shown(url)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "postgresql"})
    void bothNamesOfPostgresqlAreUnderstood(String scheme) {
        assertThatThrownBy(() -> StoreUrl.open(List.of(scheme + "://me:hush@127.0.0.1:1/shop"), false))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("The database cannot be reached at " + scheme);
    }
}
