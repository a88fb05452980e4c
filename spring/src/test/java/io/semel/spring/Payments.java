// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Level;
import io.semel.Rejection;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** A service whose effect is a row. */
class Payments {

    record Order(String id, long cents) {}

    record Receipt(String orderId, long cents, int number) {}

    static final class NoFunds extends Exception {

        private static final long serialVersionUID = 1L;

        public NoFunds(String message) {
            super(message);
        }
    }

    private final AtomicInteger runs = new AtomicInteger();
    private final JdbcClient database;

    Payments(JdbcClient database) {
        this.database = database;
        database.sql("CREATE TABLE IF NOT EXISTS payment (orderid VARCHAR(100) NOT NULL, number INT NOT NULL)")
                .update();
    }

    @Idempotent(operation = "pay", key = "#order.id")
    @Transactional
    public Receipt pay(Order order) {
        return insert(order);
    }

    @Idempotent(operation = "plainly", key = "#order.id")
    public Receipt payWithoutTransactional(Order order) {
        return insert(order);
    }

    @Idempotent(operation = "insist", key = "#order.id", level = Level.JOINED)
    @Transactional
    public Receipt payThenFail(Order order, RuntimeException failure) {
        insert(order);
        throw failure;
    }

    @Idempotent(operation = "checked", key = "#order.id", fingerprint = "''")
    @Transactional
    public Receipt payThenFailChecked(Order order) throws IOException {
        insert(order);
        throw new IOException("The network is down.");
    }

    @Idempotent(operation = "reject", key = "#order.id", recordExceptions = NoFunds.class)
    @Transactional
    public Receipt payThenReject(Order order) throws NoFunds {
        insert(order);
        throw new NoFunds("There is not enough on " + order.id() + ".");
    }

    /** As with a unique constraint that is violated: on PostgreSQL nothing more can be said in such a transaction. */
    @Idempotent(operation = "broken", key = "#order.id")
    @Transactional
    public Receipt payAndRejectAfterBrokenStatement(Order order) {
        insert(order);
        try {
            database.sql("INSERT INTO nowhere VALUES (1)").update();
        } catch (RuntimeException broken) {
            throw new Rejection("no-funds", "There is not enough.");
        }
        throw new AssertionError("There is no such table.");
    }

    @Transactional
    public Receipt payInOuterTransaction(Payments self, Order order, boolean fails) {
        Receipt receipt = self.pay(order);
        if (fails) {
            throw new IllegalStateException("The caller fails after the call.");
        }
        return receipt;
    }

    @Transactional
    public void swallow(Payments self, Order order) {
        try {
            self.payThenFail(order, new IllegalStateException("Swallowed by the caller."));
        } catch (IllegalStateException expected) {
            runs.incrementAndGet();
        }
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public Receipt payInNewTransaction(Payments self, Order order) {
        return self.pay(order);
    }

    @Transactional(readOnly = true)
    public Receipt payInReadOnlyTransaction(Payments self, Order order) {
        return self.pay(order);
    }

    @Idempotent(operation = "unexpected", key = "#order.id")
    @Transactional
    public Receipt payThoughMarkedForRollback(Order order) {
        Receipt receipt = insert(order);
        org.springframework.transaction.interceptor.TransactionAspectSupport.currentTransactionStatus()
                .setRollbackOnly();
        return receipt;
    }

    Receipt insert(Order order) {
        int number = runs.incrementAndGet();
        database.sql("INSERT INTO payment VALUES (?, ?)")
                .params(order.id(), number)
                .update();
        return new Receipt(order.id(), order.cents(), number);
    }

    int paid(Order order) {
        return database.sql("SELECT COUNT(*) FROM payment WHERE orderid = ?")
                .param(order.id())
                .query(Integer.class)
                .single();
    }

    int runs() {
        return runs.get();
    }

    int slots() {
        return database.sql("SELECT COUNT(*) FROM semel_slot")
                .query(Integer.class)
                .single();
    }
}
