// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

class H2JoinedTest extends JoinedContract {

    @Override
    String url() {
        return Apps.h2();
    }

    @Override
    String user() {
        return "sa";
    }
}
