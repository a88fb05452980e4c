// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import io.semel.client.internal.response.JsonMember;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;

/** Sessions by the HTTP profile, at the place where the service registers them. */
record HttpSessionProtocol(URI sessions) implements SessionProtocol {

    private static final int CREATED = 201;

    @Override
    public Intent register() {
        return Intent.of(
                HttpRequest.newBuilder(sessions).POST(BodyPublishers.noBody()).build());
    }

    @Override
    public Terms terms(HttpResponse<byte[]> registration) throws IOException {
        if (registration.statusCode() != CREATED) {
            throw new IOException("The service has not registered a session: status " + registration.statusCode()
                    + ". Look whether it offers them at this address, and to this caller.");
        }
        byte[] json = registration.body();
        return Terms.of(
                JsonMember.text(json, "id"),
                JsonMember.number(json, "leaseMillis"),
                JsonMember.number(json, "window"),
                "strict".equals(JsonMember.text(json, "mode")));
    }

    @Override
    public Intent keepAlive(String session, long firstOutstanding) {
        HttpRequest alive = one(session).PUT(BodyPublishers.noBody()).build();
        return Intent.of(alive).header(HeaderNames.FIRST_OUTSTANDING, Long.toString(firstOutstanding));
    }

    @Override
    public Intent close(String session) {
        return Intent.of(one(session).DELETE().build());
    }

    private HttpRequest.Builder one(String session) {
        return HttpRequest.newBuilder(URI.create(sessions + "/" + session));
    }
}
