// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.fault;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** What is to go wrong, where, and at which time of getting there. */
final class Faults {

    private final List<Rule> rules = new ArrayList<>();

    /** Acts when the point is reached for the nth time from now. */
    synchronized void once(CrashPoint point, int nth, Runnable action) {
        rules.add(new Rule(point, nth, false, action));
    }

    /** Acts whenever the point is reached. */
    synchronized void always(CrashPoint point, Runnable action) {
        rules.add(new Rule(point, 1, true, action));
    }

    synchronized void clear() {
        rules.clear();
    }

    /** How many faults still wait for their point to be reached. */
    synchronized int pending() {
        return (int) rules.stream().filter(rule -> !rule.fired).count();
    }

    void reach(CrashPoint point) {
        for (Runnable action : due(point)) {
            action.run();
        }
    }

    private synchronized List<Runnable> due(CrashPoint point) {
        List<Runnable> due = new ArrayList<>();
        for (Iterator<Rule> all = rules.iterator(); all.hasNext(); ) {
            Rule rule = all.next();
            if (rule.point != point || --rule.togo > 0) {
                continue;
            }
            rule.fired = true;
            due.add(rule.action);
            if (!rule.always) {
                all.remove();
            }
        }
        return due;
    }

    private static final class Rule {

        private final CrashPoint point;
        private final boolean always;
        private final Runnable action;
        private int togo;
        private boolean fired;

        Rule(CrashPoint point, int nth, boolean always, Runnable action) {
            this.point = point;
            this.togo = nth;
            this.always = always;
            this.action = action;
        }
    }
}
