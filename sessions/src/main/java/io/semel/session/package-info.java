// SPDX-License-Identifier: Apache-2.0
/** Sessions: clients that number their requests and say which answers they have received. */
@NullMarked
package io.semel.session;

import org.jspecify.annotations.NullMarked;
