// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.MethodDescriptor;
import io.semel.client.Intent;
import io.semel.client.SessionProtocol;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

/** Sessions by the service {@code semel.Sessions}. */
final class GrpcSessionProtocol implements SessionProtocol {

    private static final byte[] EMPTY = {};

    @Override
    public Intent register() {
        return intent(SessionService.REGISTER, Map.of());
    }

    @Override
    public Terms terms(HttpResponse<byte[]> registration) throws IOException {
        GrpcAnswer answer = (GrpcAnswer) registration;
        if (!answer.status().isOk()) {
            throw new IOException("The service has not registered a session: " + answer.status()
                    + ". Look whether its server has a SessionService, and for this caller.");
        }
        HttpHeaders said = answer.headers();
        return Terms.of(
                said.firstValue(MetadataKeys.SESSION.name()).orElse(null),
                number(said, MetadataKeys.LEASE.name()),
                number(said, MetadataKeys.WINDOW.name()),
                said.firstValue(MetadataKeys.MODE.name()).orElse("").equals("strict"));
    }

    private static long number(HttpHeaders said, String name) throws IOException {
        try {
            return said.firstValueAsLong(name).orElse(0);
        } catch (NumberFormatException e) {
            throw new IOException("The service has registered a session whose " + name + " is no number.", e);
        }
    }

    @Override
    public Intent keepAlive(String session, long firstOutstanding) {
        return intent(
                SessionService.KEEP_ALIVE,
                Map.of(
                        MetadataKeys.SESSION.name(),
                        List.of(session),
                        MetadataKeys.FIRST_OUTSTANDING.name(),
                        List.of(Long.toString(firstOutstanding))));
    }

    @Override
    public Intent close(String session) {
        return intent(SessionService.CLOSE, Map.of(MetadataKeys.SESSION.name(), List.of(session)));
    }

    private static Intent intent(MethodDescriptor<?, ?> method, Map<String, List<String>> headers) {
        return GrpcTransport.intent(method, headers, EMPTY);
    }
}
