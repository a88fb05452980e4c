// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.session.Session;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of sessions, in which clients number their HTTP requests.
 *
 * @param enabled Whether clients may register sessions, at /.semel/sessions.
 * @param lease How long a session stays alive without a word from its client.
 * @param window The largest number of requests of one client that may be in use at once.
 * @param cap The largest number of sessions. A full store refuses new ones.
 * @param capPerCaller The largest number of sessions of one caller. The default is no limit below the cap.
 * @param mode Whether requests may overtake each other.
 */
@ConfigurationProperties("semel.sessions")
public record SemelSessionsProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("1m") Duration lease,
        @DefaultValue("64") int window,
        @DefaultValue("10000") int cap,
        @DefaultValue("" + Integer.MAX_VALUE) int capPerCaller,
        @DefaultValue("set") Session.Mode mode) {}
