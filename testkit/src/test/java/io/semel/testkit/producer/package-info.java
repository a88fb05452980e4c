// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.semel.testkit.producer;

import org.jspecify.annotations.NullMarked;
