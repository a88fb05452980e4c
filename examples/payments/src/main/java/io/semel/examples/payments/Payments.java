// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.payments;

import java.util.List;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Charges an order: the order, the payment and the e-mail are one transaction. None of it knows of idempotency. */
@Service
class Payments {

    private static final String PAY_ORDER = """
            MERGE INTO customer_order AS o
            USING (SELECT CAST(? AS VARCHAR(100)) AS id, CAST(? AS BIGINT) AS cents) AS n ON o.id = n.id
            WHEN MATCHED THEN UPDATE SET paid_cents = o.paid_cents + n.cents
            WHEN NOT MATCHED THEN INSERT (id, paid_cents) VALUES (n.id, n.cents)
            """;
    private static final String CHARGE = "INSERT INTO payment (order_id, amount_cents) VALUES (?, ?)";
    private static final String MAIL = "INSERT INTO outgoing_email (order_id, subject) VALUES (?, ?)";
    private static final String CHARGED =
            "SELECT id, order_id, amount_cents FROM payment WHERE order_id = ? ORDER BY id";

    private final JdbcClient database;

    Payments(JdbcClient database) {
        this.database = database;
    }

    @Transactional
    public Payment charge(PaymentRequest request) {
        String order = request.checkedOrder();
        long cents = request.checkedAmount();
        database.sql(PAY_ORDER).params(order, cents).update();
        GeneratedKeyHolder id = new GeneratedKeyHolder();
        database.sql(CHARGE).params(order, cents).update(id, "id");
        database.sql(MAIL)
                .params(order, "We have received " + cents + " cents.")
                .update();
        return new Payment(Objects.requireNonNull(id.getKey()).longValue(), order, cents);
    }

    public List<Payment> charged(String order) {
        return database.sql(CHARGED)
                .param(order)
                .query((row, number) ->
                        new Payment(row.getLong("id"), row.getString("order_id"), row.getLong("amount_cents")))
                .list();
    }
}
