// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin.api;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The parameters of each endpoint: an unknown name is refused, because a misspelt safeguard would be ignored. */
public final class ApiParameters {

    private static final List<String> SIGNED = List.of("operator", "why");
    private static final List<String> KEY = List.of("scope", "id", "fence");
    private static final List<String> ANSWER = List.of("status", "body", "contentType", "form");
    private static final List<String> SWEPT = List.of("view", "olderThan", "scope", "cursor", "limit", "verdict");
    private static final Set<String> NUMBERS = Set.of("fence", "status", "limit");

    private static final Map<String, List<String>> OF_POSTS = Map.of(
            "/api/resolve", joined(List.of(KEY, ANSWER, SIGNED)),
            "/api/release", joined(List.of(KEY, SIGNED)),
            "/api/reveal", joined(List.of(KEY, SIGNED)),
            "/api/sweep", joined(List.of(SWEPT, ANSWER, SIGNED)),
            "/api/purge", joined(List.of(List.of("limit"), SIGNED)));

    private static final Map<String, List<String>> OF_GETS = Map.of(
            "/api/rates", List.of("after"),
            "/api/keys", List.of("view", "limit", "cursor"),
            "/api/recent", List.of("limit"),
            "/api/search", List.of("id"),
            "/api/key", List.of("scope", "id"),
            "/api/sessions", List.of("id", "scope"));

    private static List<String> joined(List<List<String>> parts) {
        return parts.stream().flatMap(List::stream).toList();
    }

    /** Whether the endpoint takes an answer. */
    public static boolean takeAnswer(String path) {
        return OF_POSTS.getOrDefault(path, List.of()).containsAll(ANSWER);
    }

    /**
     * Checks the members of a body.
     *
     * @throws IllegalArgumentException with the unknown and the known names
     */
    public static void check(String path, ObjectNode body) {
        List<String> known = OF_POSTS.get(path);
        if (known == null) {
            return;
        }
        check(path, "member", body.propertyNames().stream(), known);
        body.properties().forEach(each -> check(each.getKey(), each.getValue()));
    }

    public static void check(String path, Map<String, String> query) {
        List<String> known = OF_GETS.get(path);
        if (known != null) {
            check(path, "parameter", query.keySet().stream().sorted(), known);
        }
    }

    private static void check(String path, String what, Stream<String> given, List<String> known) {
        String unknown = given.filter(name -> !known.contains(name))
                .map(name -> "'" + name + "'")
                .collect(Collectors.joining(", "));
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(path + " has no " + what + " " + unknown + "; it has "
                    + String.join(", ", known) + ". Nothing was done.");
        }
    }

    /** Something else would be read as if it were not there. */
    private static void check(String name, JsonNode value) {
        boolean number = NUMBERS.contains(name);
        if (number ? !value.isIntegralNumber() : !value.isString()) {
            throw new IllegalArgumentException(
                    "'" + name + "' has to be a " + (number ? "whole number" : "string") + ". Nothing was done.");
        }
    }

    private ApiParameters() {}
}
