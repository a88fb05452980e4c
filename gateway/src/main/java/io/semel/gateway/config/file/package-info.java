// SPDX-License-Identifier: Apache-2.0
/** Reads the settings from semel.yaml and the command line. */
@NullMarked
package io.semel.gateway.config.file;

import org.jspecify.annotations.NullMarked;
