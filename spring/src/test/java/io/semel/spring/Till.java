// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Level;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Handlers that take money, and fail in every way that handlers fail. */
@RestController
class Till {

    record Order(String id, long cents) {}

    record Paid(String id, long cents, int number) {}

    static final class NoFunds extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NoFunds(String message) {
            super(message);
        }
    }

    /** As services are: transactions begin here. */
    static class Ledger {

        private final AtomicInteger runs = new AtomicInteger();
        private final JdbcClient database;

        Ledger(JdbcClient database) {
            this.database = database;
            database.sql("CREATE TABLE IF NOT EXISTS till (orderid VARCHAR(100) NOT NULL, number INT NOT NULL)")
                    .update();
        }

        @Transactional
        public Paid pay(Order order) {
            int number = runs.incrementAndGet();
            database.sql("INSERT INTO till VALUES (?, ?)")
                    .params(order.id(), number)
                    .update();
            return new Paid(order.id(), order.cents(), number);
        }

        @Transactional
        public Paid payMarked(Order order) {
            Paid paid = pay(order);
            TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
            return paid;
        }

        @Transactional
        public Paid payAndFail(Order order) {
            pay(order);
            throw new NoFunds("There is not enough for " + order.id() + ".");
        }

        @Transactional
        public Paid payAndBreak(Order order) {
            pay(order);
            try {
                breakStatement();
            } catch (RuntimeException broken) {
                throw new NoFunds("There is not enough for " + order.id() + ".");
            }
            throw new AssertionError("There is no such table.");
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public Paid payApart(Order order) {
            return pay(order);
        }

        @Transactional(readOnly = true)
        public int paidReadOnly(String id) {
            return paid(id);
        }

        void breakStatement() {
            database.sql("INSERT INTO nowhere VALUES (1)").update();
        }

        int runs() {
            return runs.get();
        }

        JdbcClient database() {
            return database;
        }

        int paid(String id) {
            return database.sql("SELECT COUNT(*) FROM till WHERE orderid = ?")
                    .param(id)
                    .query(Integer.class)
                    .single();
        }
    }

    @RestControllerAdvice
    static class Advice {

        @ExceptionHandler
        ProblemDetail noFunds(NoFunds e) {
            return ProblemDetail.forStatusAndDetail(HttpStatus.PAYMENT_REQUIRED, e.getMessage());
        }
    }

    /** Where a handler can be held up. */
    static final class Gate {

        private volatile CountDownLatch entered = new CountDownLatch(0);
        private volatile CountDownLatch open = new CountDownLatch(0);

        void close() {
            entered = new CountDownLatch(1);
            open = new CountDownLatch(1);
        }

        void awaitEntered() throws InterruptedException {
            entered.await();
        }

        void open() {
            open.countDown();
        }

        void pass() throws InterruptedException {
            entered.countDown();
            open.await();
        }
    }

    static final Gate GATE = new Gate();

    private final Ledger ledger;

    Till(Ledger ledger) {
        this.ledger = ledger;
    }

    @PostMapping("/pay")
    ResponseEntity<Paid> pay(@RequestBody Order order) throws InterruptedException {
        Paid paid = ledger.pay(order);
        GATE.pass();
        return created(paid);
    }

    private static ResponseEntity<Paid> created(Paid paid) {
        return ResponseEntity.created(URI.create("/payments/" + paid.number())).body(paid);
    }

    @PostMapping("/marked-for-rollback")
    ResponseEntity<Paid> payMarked(@RequestBody Order order) {
        return created(ledger.payMarked(order));
    }

    @PostMapping("/marked-and-refused")
    ResponseEntity<String> payMarkedAndRefuse(@RequestBody Order order) {
        ledger.payMarked(order);
        return ResponseEntity.status(409).body("no");
    }

    @PostMapping("/advised")
    Paid payAndFail(@RequestBody Order order) {
        return ledger.payAndFail(order);
    }

    @PostMapping("/swallowed")
    ResponseEntity<Paid> payAndSwallow(@RequestBody Order order) {
        try {
            ledger.payAndFail(order);
        } catch (NoFunds swallowed) {
            return created(new Paid(order.id(), 0, ledger.runs()));
        }
        throw new AssertionError("It always fails.");
    }

    @PostMapping("/refused")
    ResponseEntity<String> payAndRefuse(@RequestBody Order order) {
        ledger.pay(order);
        return ResponseEntity.unprocessableContent().body("not so");
    }

    @PostMapping("/forbidden")
    ResponseEntity<String> payAndForbid(@RequestBody Order order) {
        ledger.pay(order);
        return ResponseEntity.status(403).body("not you");
    }

    @PostMapping("/broken/{status}")
    ResponseEntity<String> payAndBreak(@PathVariable int status, @RequestBody Order order) {
        ledger.pay(order);
        try {
            ledger.breakStatement();
        } catch (RuntimeException broken) {
            return ResponseEntity.status(status).body("broken");
        }
        throw new AssertionError("There is no such table.");
    }

    @PostMapping("/broken-and-advised")
    Paid payBreakAndThrow(@RequestBody Order order) {
        return ledger.payAndBreak(order);
    }

    @PostMapping("/failed")
    ResponseEntity<String> payAndAnswerBadGateway(@RequestBody Order order) {
        ledger.pay(order);
        return ResponseEntity.status(502).body("the bank is away");
    }

    @PostMapping("/thrown")
    Paid payAndThrow(@RequestBody Order order) {
        ledger.pay(order);
        throw new IllegalStateException("for a test");
    }

    @PostMapping("/apart")
    Paid payApartAndThrow(@RequestBody Order order) {
        ledger.payApart(order);
        throw new IllegalStateException("for a test");
    }

    @PostMapping("/read-only")
    int readOnly(@RequestBody Order order) {
        return ledger.paidReadOnly(order.id());
    }

    @Transactional(isolation = Isolation.SERIALIZABLE)
    @PostMapping("/serializable")
    public String serializable(@RequestBody Order order) {
        return ledger.database()
                .sql("SELECT current_setting('transaction_isolation')")
                .query(String.class)
                .single();
    }

    @PostMapping("/later")
    CompletableFuture<Paid> payLater(@RequestBody Order order) {
        return CompletableFuture.supplyAsync(() -> ledger.pay(order), task -> new Thread(task).start());
    }

    @PostMapping("/whatever")
    Object payWhatever(@RequestBody Order order) {
        ledger.pay(order);
        return new DeferredResult<Paid>();
    }

    @PostMapping("/body")
    ResponseEntity<StreamingResponseBody> streamBody(@RequestBody Order order) {
        Paid paid = ledger.pay(order);
        return ResponseEntity.ok(out -> {
            for (int i = 0; i < 3; i++) {
                out.write(("part " + paid.number() + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        });
    }

    @PostMapping("/flushed")
    void flush(@RequestBody Order order, HttpServletResponse response) throws IOException {
        Paid paid = ledger.pay(order);
        response.getOutputStream().print("first ");
        response.flushBuffer();
        response.getOutputStream().print("last " + paid.number());
    }

    @PostMapping("/events")
    SseEmitter events(@RequestBody Order order) throws IOException {
        SseEmitter events = new SseEmitter();
        events.send("paid " + ledger.pay(order).number());
        events.complete();
        return events;
    }

    @Idempotent(operation = "refund", retention = "2h")
    @PostMapping("/refunds")
    public ResponseEntity<Paid> refund(@RequestBody Order order) {
        return created(ledger.pay(order));
    }

    @Idempotent(level = Level.LEASED)
    @DeleteMapping("/orders/{id}")
    public CompletableFuture<Long> delete(@PathVariable String id) {
        ledger.pay(new Order(id, 0));
        return CompletableFuture.completedFuture(CurrentAttempt.attempt().fence());
    }
}
