// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.http;

import io.semel.http.BodyComparison;
import io.semel.http.HttpRules;
import io.semel.http.StatusPolicy;
import io.semel.spring.SemelHttpProperties;
import io.semel.spring.internal.setup.InvalidSetup;

/** The HTTP rules that the settings describe. */
public final class ConfiguredHttpRules {

    public static HttpRules of(SemelHttpProperties settings) {
        try {
            return read(settings);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new InvalidSetup(
                    "The properties under semel.http are invalid: " + e.getMessage(),
                    "Change the property that it names.",
                    e);
        }
    }

    private static HttpRules read(SemelHttpProperties settings) {
        HttpRules rules = HttpRules.standard()
                .methods(settings.methods().toArray(String[]::new))
                .keys(settings.keys())
                .keyHeaders(settings.headers().toArray(String[]::new))
                .dialect(settings.dialect())
                .longestKey(settings.longestKey())
                .namespace(settings.namespace())
                .compareBodies(forms(settings))
                .compareHeaders(settings.comparedHeaders().toArray(String[]::new))
                .largestBody(settings.largestBody().toBytes())
                .mismatchStatus(settings.mismatchStatus())
                .statuses(statuses(settings))
                .replayHeaders(settings.replayedHeaders().toArray(String[]::new));
        return optional(rules, settings);
    }

    private static HttpRules optional(HttpRules given, SemelHttpProperties settings) {
        HttpRules rules = settings.failOpen() ? given.failOpen() : given;
        if (settings.advertiseRetention()) {
            rules = rules.advertiseRetention();
        }
        if (settings.firstSentHeader() != null) {
            rules = rules.firstSentHeader(settings.firstSentHeader());
        }
        return settings.problemBase() == null ? rules : rules.problemBase(settings.problemBase());
    }

    private static BodyComparison[] forms(SemelHttpProperties settings) {
        String[] ignored = settings.ignoredMembers().toArray(String[]::new);
        if (ignored.length > 0 && settings.bodies() != SemelHttpProperties.Bodies.MEANING) {
            throw new IllegalArgumentException("ignored-members has entries, but bodies is not 'meaning'.");
        }
        return switch (settings.bodies()) {
            case RAW -> new BodyComparison[0];
            case MEANING -> new BodyComparison[] {BodyComparison.json(ignored), BodyComparison.multipart()};
            case NONE -> new BodyComparison[] {BodyComparison.uncompared()};
        };
    }

    private static StatusPolicy statuses(SemelHttpProperties settings) {
        StatusPolicy policy = StatusPolicy.standard().serverErrors(settings.serverErrors());
        for (var each : settings.statuses().entrySet()) {
            policy = policy.with(each.getKey(), each.getValue());
        }
        return policy;
    }

    private ConfiguredHttpRules() {}
}
