// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request without its body; a filter implements it over its server's own request. */
public interface Request {

    /** As sent: methods are case-sensitive. */
    String method();

    /** As sent: neither decoded nor normalised, without the query. */
    String path();

    /** As sent, without the question mark; null where there is none. */
    @Nullable
    String query();

    /** Every field line of that name, in any case, in the order they came; never one line put together from many. */
    List<String> headers(String name);

    /** The caller, as established by authentication, which has to come first. */
    Caller caller();
}
