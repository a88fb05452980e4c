// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

/** One request as somebody read it; an error says why it could not be read. */
record ReceivedRequest(String method, String target, String id, String body, String error) {

    static ReceivedRequest unreadable(String error) {
        return new ReceivedRequest("", "", "", "", error);
    }

    /** As the gateway passes it on: an absolute target is for proxies only. */
    ReceivedRequest inOriginForm() {
        String origin = target.replaceFirst("^https?://[^/?#]+", "");
        String path = origin.equals(target) ? target : origin.startsWith("/") ? origin : "/" + origin;
        return new ReceivedRequest(method, path, id, body, error);
    }
}
