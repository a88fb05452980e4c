// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

/** The laws of a store, in the words of {@code docs/laws.md}. */
enum StoreLaw {
    S1("Of any number of concurrent claims on a free slot exactly one is granted."),
    S2("Until its lease runs out, every other claim is told Held, with the time remaining."),
    S3(
            "A slot whose lease ran out may be granted again, to the same fingerprint only; the fence rises and the claim says"
                    + " `abandoned`. Another fingerprint is told Held, with nothing remaining."),
    S4("Settle names a grant, by its holder and its fence, and applies only to the current one of an unsettled slot;"
            + " otherwise it returns false and changes nothing."),
    S5("A completed result comes back byte for byte until its retention ends; retention counts from completion."),
    S6(
            "After retention and until remembrance ends, the key answers Settled without a result (GONE); it is never free."),
    S7(
            "The fence of a key rises with every grant, also after a Release, and never goes backwards while anything about the"
                    + " key is remembered."),
    S8("Time is the store's: skewed or jumping caller clocks and odd time zones change nothing."),
    S9(
            "Not knowing is an exception, never an answer: no claim is granted and no work runs when the store cannot be asked."),
    S10("Keys are exact: no trimming, case folding, truncation or collation."),
    S11("An acknowledged claim or settle survives a crash of the store's process, on stores that promise durability."),
    S12("A settled record never changes until it expires; only an operator's `amend`, which names the result it saw,"
            + " replaces it."),
    S13(
            "A claim may be repeated by its own holder, which is told the same again: same fence, same `abandoned`; its lease"
                    + " restarts."),
    S14("A key on which the store blocks costs claims, settles, renewals and looks of other keys nothing.");

    private final String text;

    StoreLaw(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
