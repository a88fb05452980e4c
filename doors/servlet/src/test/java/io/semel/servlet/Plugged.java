// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The servlet at the end of the chain: whatever the plugged service's handler does. */
final class Plugged extends HttpServlet {

    private static final long serialVersionUID = 1;

    private final transient Container.Socket socket;

    Plugged(Container.Socket socket) {
        this.socket = socket;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        socket.service.handler.handle(request, response);
    }
}
