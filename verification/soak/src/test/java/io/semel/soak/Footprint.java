// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What this process holds after a full collection: objects of Semel's classes, heap, threads, descriptors, and whatever else the
 * caller counts.
 */
record Footprint(Map<String, Long> objects, long heapBytes, long threads, long descriptors, Map<String, Long> counted) {

    private static final long MORE_OBJECTS = 100;
    private static final long MORE_HEAP_BYTES = 6L << 20;
    /** Renewals have threads of their own, up to 1,000, which come as they are needed and leave after some idle seconds. */
    private static final long MORE_THREADS = 32 + 3;

    private static final long MORE_DESCRIPTORS = 24;

    static Footprint take(Map<String, LongSupplier> counters) {
        String histogram = histogram();
        Map<String, Long> objects = new TreeMap<>();
        long bytes = 0;
        for (String line : histogram.lines().toList()) {
            String[] words = line.strip().split("\\s+", -1);
            if (words.length >= 4 && words[3].startsWith("io.semel.") && !words[3].startsWith("io.semel.soak.")) {
                objects.merge(words[3], Long.parseLong(words[1]), Long::sum);
            } else if (words.length == 3 && words[0].equals("Total")) {
                bytes = Long.parseLong(words[2]);
            }
        }
        Map<String, Long> counted = new TreeMap<>();
        counters.forEach((name, counter) -> counted.put(name, counter.getAsLong()));
        return new Footprint(
                objects, bytes, ManagementFactory.getThreadMXBean().getThreadCount(), openDescriptors(), counted);
    }

    /** Fails where anything has grown by more than what comes and goes, or above its bound; all growth is named. */
    void hasNotGrownSince(Footprint earlier, Map<String, Long> bounds) {
        List<String> grown = new ArrayList<>();
        objects.forEach((name, now) -> {
            long before = Math.max(earlier.objects.getOrDefault(name, 0L), bounds.getOrDefault(name, 0L));
            note(grown, name, before, now, MORE_OBJECTS);
        });
        note(grown, "heap bytes", earlier.heapBytes, heapBytes, MORE_HEAP_BYTES + earlier.heapBytes / 10);
        note(grown, "threads", Math.max(earlier.threads, bounds.getOrDefault("threads", 0L)), threads, MORE_THREADS);
        note(grown, "descriptors", earlier.descriptors, descriptors, MORE_DESCRIPTORS);
        counted.forEach((name, now) -> note(grown, name, earlier.counted.getOrDefault(name, 0L), now, 0));
        if (!grown.isEmpty()) {
            fail("These have grown: " + String.join("; ", grown));
        }
    }

    private static void note(List<String> grown, String name, long before, long now, long tolerated) {
        if (now > before + tolerated) {
            grown.add(name + " from " + before + " to " + now);
        }
    }

    String summary() {
        long all = objects.values().stream().mapToLong(Long::longValue).sum();
        return "%,d objects of Semel, %,d KiB of heap, %d threads, %d descriptors, %s"
                .formatted(all, heapBytes >> 10, threads, descriptors, counted);
    }

    /** Collects garbage first, so that only what is reachable is counted. */
    private static String histogram() {
        try {
            return (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException("This JVM gives no class histogram.", e);
        }
    }

    private static long openDescriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : 0;
    }
}
