// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.gateway.Gateway;
import io.semel.gateway.config.RouteSettings;
import io.semel.gateway.config.SealSettings;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.Upstream;
import io.semel.gateway.config.file.Overrides;
import io.semel.gateway.config.file.SettingsReader;
import io.semel.gateway.config.yaml.ConfigError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks that a gateway with these settings would start and would reach its services. */
final class SettingsCheck {

    private final Path file;
    private final DoctorCommand doctor;

    SettingsCheck(Path file, DoctorCommand doctor) {
        this.file = file;
        this.doctor = doctor;
    }

    void run() {
        try {
            Settings settings = SettingsReader.read(file, new Overrides(null, null, null, List.of(), null));
            Gateway.check(settings);
            settings.admin().check();
            SealSettings seal = settings.seal();
            if (seal != null) {
                var unused = seal.open();
            }
            var unusedSecret = RunningGateway.fingerprintSecret(settings);
            doctor.find(
                    "ok",
                    "The settings in " + file + " are understood: "
                            + settings.routes().size() + " routes.");
            services(settings).forEach(each -> reach(each, settings));
        } catch (ConfigError e) {
            doctor.find("FAIL", String.valueOf(e.getMessage()));
        }
    }

    private static Stream<Upstream> services(Settings settings) {
        Stream<Upstream> asked = settings.routes().stream()
                .flatMap(route -> Stream.of(Optional.ofNullable(route.judge()), Optional.ofNullable(route.witness())))
                .flatMap(Optional::stream);
        return Stream.concat(settings.routes().stream().map(RouteSettings::upstream), asked)
                .distinct();
    }

    private void reach(Upstream service, Settings settings) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(service.host(), service.port()), (int)
                    settings.limits().connectTime().toMillis());
            doctor.find("ok", service + " takes connections.");
        } catch (IOException e) {
            doctor.find(
                    "FAIL",
                    service + " cannot be reached (" + e.getMessage() + "). Start it, or correct its address in " + file
                            + "; its clients get 502 or 503 until then.");
        }
    }
}
