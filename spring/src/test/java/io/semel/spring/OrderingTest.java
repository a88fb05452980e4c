// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Key;
import io.semel.memory.MemoryStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Where {@link Idempotent} stands among the other annotations of a method. */
class OrderingTest {

    @Configuration
    @EnableCaching
    @EnableAsync
    @EnableResilientMethods
    static class App {

        @Bean
        CacheManager caches() {
            return new ConcurrentMapCacheManager("answers");
        }

        @Bean
        Service service() {
            return new Service();
        }
    }

    static class Service {

        private final AtomicInteger runs = new AtomicInteger();

        int runs() {
            return runs.get();
        }

        @Retryable(maxRetries = 3, delay = 1)
        @Idempotent
        public int retried(String id) {
            if (runs.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
            return runs.get();
        }

        @Cacheable(cacheNames = "answers", key = "#article")
        @Idempotent(operation = "cached", key = "#id")
        public int cached(String id, String article) {
            return runs.incrementAndGet();
        }

        @Async
        @Idempotent
        public CompletableFuture<String> async(String id) {
            runs.incrementAndGet();
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        @Idempotent
        public int outer(String id) {
            return self(id) + self(id);
        }

        @Idempotent
        public int self(String id) {
            return runs.incrementAndGet();
        }
    }

    private static void with(Consumer<Service> test) {
        Apps.inMemory().withUserConfiguration(App.class).run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context.getBean(Service.class));
        });
    }

    @Test
    void eachTryOfRetryableIsACallOfItsOwn() {
        with(service -> {
            assertThat(service.retried("1")).isEqualTo(3);
            assertThat(service.retried("1")).isEqualTo(3);
            assertThat(service.runs()).isEqualTo(3);
        });
    }

    @Test
    void aNewKeyWhoseAnswerIsCachedIsRecordedToo() {
        MemoryStore store = new MemoryStore();
        Apps.bare()
                .withUserConfiguration(App.class)
                .withBean(MemoryStore.class, () -> store)
                .run(context -> {
                    Service service = context.getBean(Service.class);
                    int first = service.cached("1", "a");
                    assertThat(service.cached("2", "a")).isEqualTo(first);
                    assertThat(store.look(Key.of("cached", "2"))).isPresent();
                    context.getBean(CacheManager.class).getCache("answers").clear();
                    assertThat(service.cached("2", "a")).isEqualTo(first);
                    assertThat(service.runs()).isOne();
                });
    }

    @Test
    void asyncCallsAreMadeInTheOtherThread() {
        with(service -> {
            String thread = service.async("1").join();
            assertThat(thread).isNotEqualTo(Thread.currentThread().getName());
            assertThat(service.async("1").join()).isEqualTo(thread);
            assertThat(service.runs()).isOne();
        });
    }

    @Test
    void aCallWithinTheSameObjectIsNotGuarded() {
        with(service -> {
            assertThat(service.outer("1")).isEqualTo(3);
            assertThatThrownBy(() -> service.outer(null)).isInstanceOf(IllegalArgumentException.class);
        });
    }
}
