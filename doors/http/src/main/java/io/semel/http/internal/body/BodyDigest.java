// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.body;

/** Digests a body as its chunks come in. */
public interface BodyDigest {

    void update(byte[] bytes, int from, int length) throws BadBody;

    byte[] finish() throws BadBody;
}
