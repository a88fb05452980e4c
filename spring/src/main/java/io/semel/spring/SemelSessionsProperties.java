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
 * @param lease How long a silent client is believed to be there.
 * @param window How many numbers of a client may be in use at once.
 * @param cap The most sessions that there may be; a full store refuses new ones.
 * @param capPerCaller The most sessions that one caller may have; as many as there may be, unless this is said.
 * @param mode Whether numbers may overtake each other.
 */
@ConfigurationProperties("semel.sessions")
public record SemelSessionsProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("1m") Duration lease,
        @DefaultValue("64") int window,
        @DefaultValue("10000") int cap,
        @DefaultValue("" + Integer.MAX_VALUE) int capPerCaller,
        @DefaultValue("set") Session.Mode mode) {}
