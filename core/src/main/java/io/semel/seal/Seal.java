// SPDX-License-Identifier: Apache-2.0
package io.semel.seal;

/** Encrypts stored answers; whatever it throws on opening reaches the caller of the retry, and nothing is run again. */
public interface Seal {

    /** Encrypts, and binds the result to the context: opening under another context must fail. */
    byte[] seal(byte[] plain, byte[] context);

    byte[] open(byte[] sealed, byte[] context);
}
