// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.frame;

import java.nio.charset.StandardCharsets;

/**
 * What short answers are likely to say, so that compressing them saves something: the preset dictionary of frames. It is part of
 * the stored format and must never change; another one would need a flag of its own.
 */
final class PresetDictionary {

    /** The likelier, the later. */
    private static final String TEXT = "true,false,null,[{},{\"en-US 2024-2025-2026-2027-T00:00:00.000Z+00:00"
            + "https://www.http://.com/api/v1/v2/orders/payments/customers/etag\"cache-controlno-storesemelcontent-languagelink"
            + "location/content-typetext/plain; charset=utf-8application/problem+jsonapplication/json"
            + "\"detail\":\"\",\"instance\":\"/\"title\":\"\"errors\":[\"code\":\"\"links\":{\"self\":\"href\":\""
            + "\"PENDING\"\"CONFIRMED\"\"COMPLETED\"\"CREATED\"\"FAILED\"\"pending\"\"completed\"\"created\"\"accepted\"\"succeeded\""
            + "\"firstName\":\"\"lastName\":\"\"email\":\"@\"phone\":\"\"address\":{\"street\":\"\"city\":\"\"country\":\""
            + "\"quantity\":1,\"price\":\"items\":[{\"product\":\"\"sku\":\"\"invoice\":\"\"reference\":\"\"version\":1,\"metadata\":{"
            + "\"account\":\"\"userId\":\"\"customerId\":\"\"customer\":\"cus_\"object\":\"\"paymentId\":\"\"payment\":\"pay_"
            + "\"transactionId\":\"\"transaction\":\"\"orderId\":\"\"order\":\"\"number\":\"\"description\":\"\"message\":\""
            + "\"total\":\"total\":{\"balance\":\"value\":\"type\":\"\"name\":\"\"success\":true,\"captured\":true,"
            + "\"updatedAt\":\"20\"createdAt\":\"20\"created_at\":\"20\"created\":17\"timestamp\":\"20"
            + "\"currency\":\"USD\",\"currency\":\"EUR\",\"amount\":{\"amount\":\"status\":\"\"id\":\"\"},\",\"\"}";

    static final byte[] FIRST = TEXT.getBytes(StandardCharsets.US_ASCII);

    private PresetDictionary() {}
}
