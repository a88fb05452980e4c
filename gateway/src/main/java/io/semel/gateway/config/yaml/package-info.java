// SPDX-License-Identifier: Apache-2.0
/** Sections of YAML, read with errors that name file, line and field. */
@NullMarked
package io.semel.gateway.config.yaml;

import org.jspecify.annotations.NullMarked;
