// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.script;

/** A session in the registry and in the list of its scope: its own hash, followed by that of its scope. */
public record RegistryMember(byte[] registry, byte[] scopes, byte[] member) {}
