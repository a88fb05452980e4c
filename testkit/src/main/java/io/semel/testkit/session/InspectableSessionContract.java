// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import io.semel.session.InspectableSessions;

/** {@link SessionContract} for a store that also shows operators what it keeps. */
public abstract class InspectableSessionContract extends SessionContract implements ViewLaws {

    @Override
    protected abstract InspectableSessions open();
}
