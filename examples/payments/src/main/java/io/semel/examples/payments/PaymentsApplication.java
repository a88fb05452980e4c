// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.payments;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The service; see its README. */
@SpringBootApplication
public class PaymentsApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(PaymentsApplication.class, arguments);
    }
}
