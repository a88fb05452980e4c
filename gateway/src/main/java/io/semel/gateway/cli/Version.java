// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version in the manifest of the jar; classes that are in no jar have none. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"semel " + Objects.requireNonNullElse(version, "(not packaged)")};
    }
}
