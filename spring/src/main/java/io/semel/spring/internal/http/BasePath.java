// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.http;

/** The path that all paths of the application begin with; empty where there is none. */
public record BasePath(String value) {}
