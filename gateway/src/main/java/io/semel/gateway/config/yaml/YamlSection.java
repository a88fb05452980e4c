// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config.yaml;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** One mapping of a YAML file with known fields; errors name the line and the path. */
public final class YamlSection {

    private final String file;
    private final String path;
    private final ConfigProblems problems;
    private final Map<String, Node> values = new LinkedHashMap<>();

    public YamlSection(String file, String path, Node node, List<String> known, ConfigProblems problems) {
        this.file = file;
        this.path = path;
        this.problems = problems;
        if (!(node instanceof MappingNode mapping)) {
            throw error(
                    node,
                    (path.isEmpty() ? "the file" : path) + " has to be fields with names, such as " + known.get(0)
                            + ": …");
        }
        for (NodeTuple tuple : mapping.getValue()) {
            String name = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
            if (!known.contains(name)) {
                problems.add(error(
                        tuple.getKeyNode(),
                        "there is no field '" + at(name) + "'. " + NameSuggestion.hint(name, known)));
            } else if (values.put(name, tuple.getValueNode()) != null) {
                problems.add(error(tuple.getKeyNode(), "the field '" + at(name) + "' is given twice"));
            }
        }
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    @Nullable
    public String text(String name) {
        String text = text(name, "");
        return text.isEmpty() ? null : text;
    }

    public String text(String name, String otherwise) {
        Node node = values.get(name);
        return node == null ? otherwise : problems.attempt(() -> scalar(node, name), otherwise);
    }

    @Nullable
    public Path file(String name) {
        String text = text(name);
        return text == null ? null : Path.of(text);
    }

    public Duration span(String name, Duration otherwise) {
        return read(name, otherwise, Quantities::of);
    }

    public int number(String name, int otherwise) {
        return (int) amount(name, otherwise, Integer.MAX_VALUE);
    }

    public long bytes(String name, long otherwise) {
        return amount(name, otherwise, Long.MAX_VALUE);
    }

    private long amount(String name, long otherwise, long most) {
        return read(name, otherwise, text -> Quantities.bytes(text, most));
    }

    public boolean flag(String name) {
        return read(name, false, text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new ConfigError("'" + text + "' is neither true nor false");
        });
    }

    public <E extends Enum<E>> E choice(String name, Class<E> type, E otherwise) {
        return read(name, otherwise, text -> {
            for (E value : type.getEnumConstants()) {
                if (value.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(text)) {
                    return value;
                }
            }
            List<String> known = List.of(type.getEnumConstants()).stream()
                    .map(value -> value.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .toList();
            throw new ConfigError("'" + text + "' is not one of them. " + NameSuggestion.hint(text, known));
        });
    }

    /** Reads one text or a list of texts. */
    public List<String> texts(String name, List<String> otherwise) {
        Node node = values.get(name);
        if (node == null) {
            return otherwise;
        }
        return problems.attempt(() -> texts(node, name), otherwise);
    }

    private List<String> texts(Node node, String name) {
        if (!(node instanceof SequenceNode sequence)) {
            return List.of(scalar(node, name));
        }
        List<String> texts = new ArrayList<>();
        sequence.getValue().forEach(each -> texts.add(scalar(each, name)));
        return texts;
    }

    @Nullable
    public YamlSection fields(String name, String... known) {
        Node node = values.get(name);
        return node == null ? null : new YamlSection(file, at(name), node, List.of(known), problems);
    }

    /** Reads a list of mappings. */
    public List<YamlSection> list(String name, List<String> known) {
        Node node = values.get(name);
        List<YamlSection> all = new ArrayList<>();
        if (node == null) {
            return all;
        }
        if (!(node instanceof SequenceNode sequence)) {
            throw error(node, at(name) + " has to be a list, each item after a dash");
        }
        for (int i = 0; i < sequence.getValue().size(); i++) {
            String place = at(name) + "[" + i + "]";
            Node each = sequence.getValue().get(i);
            try {
                all.add(new YamlSection(file, place, each, known, problems));
            } catch (ConfigError e) {
                problems.add(e);
            }
        }
        return all;
    }

    /** Reads a mapping with arbitrary names. */
    public Map<String, String> entries(String name) {
        Map<String, String> entries = new LinkedHashMap<>();
        Node node = values.get(name);
        if (node instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                try {
                    entries.put(scalar(tuple.getKeyNode(), name), scalar(tuple.getValueNode(), name));
                } catch (ConfigError e) {
                    problems.add(e);
                }
            }
        } else if (node != null) {
            problems.add(error(node, at(name) + " has to be fields with names"));
        }
        return entries;
    }

    /** Null where the field is not given. */
    public <T> @Nullable T find(String name, Function<String, T> reading) {
        Node node = values.get(name);
        return node == null ? null : wrapped(name, () -> reading.apply(scalar(node, name)));
    }

    /** Errors of the reading are reported at that field. */
    public <T> T read(String name, T otherwise, Function<String, T> reading) {
        Node node = values.get(name);
        return node == null
                ? otherwise
                : problems.attempt(() -> wrapped(name, () -> reading.apply(scalar(node, name))), otherwise);
    }

    /** As {@link #wrapped(String, Supplier)}, but collects the error, so that the rest is read too. */
    public <T> T wrapped(String name, T otherwise, Supplier<T> reading) {
        return problems.attempt(() -> wrapped(name, reading), otherwise);
    }

    public void note(ConfigError problem) {
        problems.add(problem);
    }

    public <T> T wrapped(String name, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (ConfigError | IllegalArgumentException e) {
            Node node = values.get(name);
            if (String.valueOf(e.getMessage()).startsWith(file)) {
                throw e;
            }
            throw new ConfigError((node == null ? file + ": " : place(node)) + at(name) + ": " + e.getMessage(), e);
        }
    }

    public ConfigError wrong(String name, String what) {
        Node node = values.get(name);
        return node == null ? new ConfigError(file + ": " + at(name) + " " + what) : error(node, at(name) + " " + what);
    }

    private String scalar(Node node, String name) {
        if (node instanceof ScalarNode scalar && !scalar.getValue().isEmpty()) {
            return scalar.getValue();
        }
        throw error(node, at(name) + " has to be a value");
    }

    private ConfigError error(Node node, String what) {
        return new ConfigError(place(node) + what);
    }

    private String place(Node node) {
        return file
                + node.getStartMark()
                        .map(mark -> " line " + (mark.getLine() + 1))
                        .orElse("") + ": ";
    }

    private String at(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
