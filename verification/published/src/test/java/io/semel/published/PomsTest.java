// SPDX-License-Identifier: Apache-2.0
package io.semel.published;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.published.Modules.Module;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a registry asks of poms, and what users may rely on. */
class PomsTest {

    private final List<Module> all = Modules.all();
    private final Set<String> published = all.stream()
            .filter(Module::isPublished)
            .map(Module::artifact)
            .collect(Collectors.toCollection(TreeSet::new));

    @Test
    void everyPublishedPomIsComplete() {
        for (String element : List.of("name", "description", "url", "licenses", "developers", "scm")) {
            assertThat(Modules.children(Modules.root().pom(), element))
                    .as(element)
                    .hasSize(1);
        }
        for (Module each : all) {
            if (each.isPublished()) {
                assertThat(Modules.text(each.pom(), "name")).as(each.artifact()).startsWith("Semel");
                assertThat(Modules.text(each.pom(), "description"))
                        .as(each.artifact())
                        .isNotEmpty();
            }
        }
    }

    @Test
    void aReleaseHasAddressesThatExist() throws IOException {
        String pom = Files.readString(Modules.ROOT.resolve("pom.xml"));
        boolean snapshot = Modules.text(Modules.root().pom(), "version").endsWith("-SNAPSHOT");

        assertThat(snapshot || !pom.contains(".example")).isTrue();
    }

    @Test
    void noPublishedModuleUsesAnUnpublishedOne() {
        for (Module each : all) {
            if (each.isPublished()) {
                assertThat(published).as(each.artifact()).containsAll(each.uses());
            }
        }
    }

    @Test
    void whatIsNotPublishedIsNotInstalledEither() {
        for (Module each : all) {
            assertThat(each.property("maven.install.skip"))
                    .as(each.artifact())
                    .isEqualTo(each.isPublished() ? "" : "true");
        }
    }

    @Test
    void theBomHasEveryPublishedModuleAndNoOther() {
        Module bom = all.stream()
                .filter(each -> each.artifact().equals("semel-bom"))
                .findFirst()
                .orElseThrow();
        var managed = Modules.children(
                Modules.child(Modules.child(bom.pom(), "dependencyManagement").get(0), "dependencies")
                        .get(0),
                "dependency");

        assertThat(managed.stream().map(each -> Modules.text(each, "artifactId")))
                .containsExactlyInAnyOrderElementsOf(
                        Modules.libraries().stream().map(Module::artifact).toList());
    }

    @Test
    void everyPublishedModuleIsCheckedHere() {
        Module here = all.stream()
                .filter(each -> each.artifact().equals("semel-published"))
                .findFirst()
                .orElseThrow();

        var checked = Modules.children(Modules.child(here.pom(), "dependencies").get(0), "dependency").stream()
                .map(each -> Modules.text(each, "artifactId"))
                .filter(each -> each.startsWith("semel"));
        assertThat(checked)
                .containsExactlyInAnyOrderElementsOf(
                        Modules.libraries().stream().map(Module::artifact).toList());
    }
}
