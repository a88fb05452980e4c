// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

/** One way of doing something, under a name. */
record Contender(String name, Work work) {

    /** One operation, by one of several threads; numbers never repeat. */
    @FunctionalInterface
    interface Work {

        void run(long number) throws Exception;
    }
}
