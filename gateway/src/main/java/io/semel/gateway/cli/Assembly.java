// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.Engine;
import io.semel.gateway.Gateway;
import io.semel.gateway.admin.AdminServer;
import io.semel.gateway.admin.Audit;
import io.semel.gateway.admin.Console;
import io.semel.gateway.config.SessionSettings;
import io.semel.gateway.config.Settings;
import io.semel.gateway.store.OpenStore;
import io.semel.gateway.store.StoreUrl;
import io.semel.http.HttpSessions;
import io.semel.session.SessionStore;
import java.nio.file.Path;

/** A gateway with its store and its operators' port, from start to close. */
record Assembly(OpenStore open, Audit audit, AdminServer operators, Gateway gateway, Upkeep upkeep)
        implements AutoCloseable {

    static Assembly start(Settings settings, boolean createSchema, Path trail) {
        OpenStore open = StoreUrl.open(settings.stores(), createSchema);
        try {
            Audit audit = new Audit(trail);
            Console console = new Console(open, audit);
            Engine engine = Engine.on(open.store()).withListener(console);
            AdminServer operators = AdminServer.start(settings.admin(), settings.adminToken(), console);
            try {
                SessionSettings terms = settings.sessions();
                SessionStore kept = terms == null ? null : open.sessions(terms.cap());
                HttpSessions sessions = terms == null || kept == null
                        ? null
                        : terms.offer(
                                kept, Engine.on(kept).withListener(console.watch(kept, settings.anonymousScope())));
                Gateway gateway = Gateway.start(settings, engine, sessions, open.isQuick());
                console.watch(gateway);
                Upkeep upkeep = new Upkeep(open.store(), kept);
                upkeep.begin();
                return new Assembly(open, audit, operators, gateway, upkeep);
            } catch (RuntimeException e) {
                operators.close();
                throw e;
            }
        } catch (RuntimeException e) {
            open.close();
            throw e;
        }
    }

    String console() {
        return "http://" + gateway.settings().admin().host() + ":"
                + operators.address().getPort();
    }

    @Override
    public void close() {
        upkeep.close();
        gateway.close();
        operators.close();
        open.close();
    }
}
