// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;

/** Says whose keys and sessions come with a call, as authentication has established it; asked only if there are some. */
@FunctionalInterface
public interface GrpcCallerResolver {

    /** The name of the principal, with its tenant if there are several; never a credential. */
    String of(ServerCall<?, ?> call, Metadata headers);
}
