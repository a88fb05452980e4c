// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.gateway.config.Settings;
import io.semel.gateway.config.file.Overrides;
import io.semel.gateway.config.file.SettingsReader;
import io.semel.gateway.store.OpenStore;
import io.semel.gateway.store.StoreUrl;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which store a command is about. */
final class StoreOption {

    @Option(
            names = "--store",
            paramLabel = "URL",
            description = {
                "memory:, rocksdb:DIRECTORY, postgresql://user:password@host:port/db, mariadb://…, redis://host:port;",
                "twice for redis://… in front of a database. Default: rocksdb:./semel-data"
            })
    private final List<String> stores = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Settings, such as semel.yaml; docs/gateway.md describes them.")
    private @Nullable Path config;

    /** The settings of the file and the command line, as far as the store is concerned. */
    Settings settings() {
        Overrides overrides = new Overrides(null, null, null, stores, "http://127.0.0.1:9000");
        Path file = config;
        return file == null ? SettingsReader.read(overrides) : SettingsReader.read(file, overrides);
    }

    List<String> urls() {
        return settings().stores();
    }

    List<String> given() {
        return stores;
    }

    @Nullable
    Path config() {
        return config;
    }

    OpenStore open(boolean create) {
        return StoreUrl.open(urls(), create);
    }
}
