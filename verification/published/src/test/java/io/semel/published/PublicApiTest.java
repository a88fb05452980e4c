// SPDX-License-Identifier: Apache-2.0
package io.semel.published;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.published.Modules.Module;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The public types and members of published modules, beside the listings in docs/api; a change of both is a decision. */
class PublicApiTest {

    private static final Path LISTINGS = Modules.ROOT.resolve("docs/api");
    private static final Pattern TYPE = Pattern.compile("(?:class|interface) ([\\w.$]+)");

    private static Stream<String> modules() {
        return Modules.libraries().stream().map(Module::artifact);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void theApiIsAsListed(String artifact) throws IOException {
        Module module = Modules.libraries().stream()
                .filter(each -> each.artifact().equals(artifact))
                .findFirst()
                .orElseThrow();
        String api = listing(module.directory().resolve("target/classes"));
        Path listing = LISTINGS.resolve(artifact + ".txt");
        if ("write".equals(System.getProperty("semel.api"))) {
            Files.createDirectories(LISTINGS);
            Files.writeString(listing, api);
        }

        assertThat(api)
                .as(
                        "the public API of %s; if its change is meant (docs/versioning.md), write the listing with"
                                + " -Dsemel.api=write, and commit it",
                        artifact)
                .isEqualTo(Files.readString(listing));
    }

    private static String listing(Path classes) throws IOException {
        SortedMap<String, List<String>> types = new TreeMap<>();
        for (String type : described(classes).split("(?m)^Compiled from .*\\R", -1)) {
            List<String> lines = type.lines().map(String::strip).toList();
            Matcher name = lines.isEmpty() ? null : TYPE.matcher(lines.get(0));
            if (name != null && name.find()) {
                types.put(name.group(1), lines);
            }
        }
        StringBuilder all = new StringBuilder();
        types.forEach((name, lines) -> {
            if (isApi(name, types)) {
                all.append(plain(lines.get(0).replaceAll(" ?\\{$", ""))).append('\n');
                lines.stream()
                        .skip(1)
                        .filter(line -> line.endsWith(";"))
                        .map(line -> "    " + plain(line.substring(0, line.length() - 1)) + "\n")
                        .sorted()
                        .forEach(all::append);
            }
        });
        return all.toString();
    }

    /** Public, and so is everything that it is nested in; types of internal packages are nobody's API. */
    private static boolean isApi(String name, SortedMap<String, List<String>> types) {
        List<String> lines = types.get(name);
        int outer = name.lastIndexOf('$');
        return lines != null
                && !name.contains(".internal.")
                && lines.get(0).matches("(public|protected) .*")
                && (outer < 0 || isApi(name.substring(0, outer), types));
    }

    private static String plain(String line) {
        return line.replaceAll("\\bjava\\.lang\\.(?=[A-Z])", "").replace('$', '.');
    }

    private static String described(Path classes) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-protected", "-constants"));
        try (Stream<Path> files = Files.walk(classes)) {
            files.map(Path::toString)
                    .filter(each -> each.endsWith(".class") && !each.endsWith("-info.class"))
                    .forEach(arguments::add);
        }
        StringWriter out = new StringWriter();
        int code = ToolProvider.findFirst("javap")
                .orElseThrow()
                .run(
                        new PrintWriter(out),
                        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                        arguments.toArray(String[]::new));
        assertThat(code).isZero();
        return out.toString();
    }
}
