// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.payments;

import java.net.URI;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Three attempts to charge once. */
@RestController
class PaymentController {

    private final Payments payments;
    private final Bank bank;

    PaymentController(Payments payments, Bank bank) {
        this.payments = payments;
        this.bank = bank;
    }

    /** The bug: whoever asks again, because the answer was lost, is charged again. */
    @PostMapping("/bug/payments")
    ResponseEntity<Payment> payWithBug(@RequestBody PaymentRequest request) {
        return pay(request);
    }

    /** Half a fix: two that look at the same time both find nothing. */
    @PostMapping("/half-fix/payments")
    ResponseEntity<Payment> payWithHalfAFix(@RequestBody PaymentRequest request) {
        List<Payment> before = payments.charged(request.checkedOrder());
        return before.isEmpty() ? pay(request) : created(before.get(0));
    }

    /** The fix: the same handler as with the bug, on a path that takes idempotency keys. */
    @PostMapping("/payments")
    ResponseEntity<Payment> pay(@RequestBody PaymentRequest request) {
        bank.check(request);
        return created(payments.charge(request));
    }

    private static ResponseEntity<Payment> created(Payment payment) {
        return ResponseEntity.created(URI.create("/payments?orderId=" + encoded(payment.orderId())))
                .body(payment);
    }

    private static String encoded(String text) {
        return java.net.URLEncoder.encode(text, java.nio.charset.StandardCharsets.UTF_8);
    }

    /** What was really charged. */
    @GetMapping("/payments")
    List<Payment> charged(@RequestParam String orderId) {
        return payments.charged(orderId);
    }

    @ExceptionHandler
    ProblemDetail invalid(InvalidPayment e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.UNPROCESSABLE_CONTENT, e.getMessage());
    }
}
