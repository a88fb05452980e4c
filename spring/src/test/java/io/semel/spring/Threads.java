// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many callers at once. */
final class Threads {

    /** What each of them got, all let go together. */
    static <T> List<T> together(int count, Callable<T> call) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<T>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(threads.submit(() -> {
                start.await();
                return call.call();
            }));
        }
        start.countDown();
        List<T> answers = new ArrayList<>();
        for (Future<T> each : all) {
            answers.add(each.get());
        }
        threads.shutdown();
        return answers;
    }

    private Threads() {}
}
