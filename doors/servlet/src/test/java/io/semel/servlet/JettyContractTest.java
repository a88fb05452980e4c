// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

class JettyContractTest extends ServletContract {

    JettyContractTest() {
        super(Container.JETTY);
    }

    @Override
    protected String title() {
        return "servlet on Jetty";
    }
}
