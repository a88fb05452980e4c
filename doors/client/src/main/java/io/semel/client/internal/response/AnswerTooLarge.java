// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.response;

import java.io.IOException;

/** An answer came, but it is larger than this client takes. */
public final class AnswerTooLarge extends IOException {

    private static final long serialVersionUID = 1;

    AnswerTooLarge(int status, int most) {
        super("The answer, with status " + status + ", has more than " + most
                + " bytes, and was not read to its end; set a larger one with RetryPolicy.largestAnswer.");
    }
}
