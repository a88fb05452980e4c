// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.semel.testkit.session;

import org.jspecify.annotations.NullMarked;
