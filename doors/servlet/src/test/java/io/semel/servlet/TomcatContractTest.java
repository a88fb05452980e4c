// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

class TomcatContractTest extends ServletContract {

    TomcatContractTest() {
        super(Container.TOMCAT);
    }

    @Override
    protected String title() {
        return "servlet on Tomcat";
    }
}
