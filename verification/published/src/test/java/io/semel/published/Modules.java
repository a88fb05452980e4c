// SPDX-License-Identifier: Apache-2.0
package io.semel.published;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The modules of the build, as their poms describe them. */
final class Modules {

    static final Path ROOT = Path.of("..", "..");

    /** A module and its pom. */
    record Module(Path directory, Element pom) {

        String artifact() {
            return text(pom, "artifactId");
        }

        boolean isPublished() {
            return !property("maven.deploy.skip").equals("true");
        }

        String property(String name) {
            return child(pom, "properties").stream()
                    .map(properties -> text(properties, name))
                    .findFirst()
                    .orElse("");
        }

        /** Artifacts of Semel that are used by more than tests. */
        List<String> uses() {
            return child(pom, "dependencies").stream()
                    .flatMap(all -> children(all, "dependency").stream())
                    .filter(each -> text(each, "groupId").equals("io.semel")
                            && !text(each, "scope").equals("test"))
                    .map(each -> text(each, "artifactId"))
                    .toList();
        }
    }

    static Module root() {
        return read(ROOT);
    }

    static List<Module> all() {
        return children(child(root().pom(), "modules").get(0), "module").stream()
                .map(each -> read(ROOT.resolve(each.getTextContent())))
                .toList();
    }

    /** Those that users get as jars. */
    static List<Module> libraries() {
        return all().stream()
                .filter(each ->
                        each.isPublished() && !text(each.pom(), "packaging").equals("pom"))
                .toList();
    }

    private static Module read(Path directory) {
        try {
            return new Module(
                    directory,
                    DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(directory.resolve("pom.xml").toFile())
                            .getDocumentElement());
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalStateException(directory + " has no pom that can be read", e);
        }
    }

    /** The one child of this name, or none. */
    static List<Element> child(Element parent, String name) {
        return children(parent, name);
    }

    static List<Element> children(Element parent, String name) {
        NodeList nodes = parent.getChildNodes();
        List<Element> found = new ArrayList<>();
        IntStream.range(0, nodes.getLength()).forEach(i -> {
            Node node = nodes.item(i);
            if (node instanceof Element element && node.getNodeName().equals(name)) {
                found.add(element);
            }
        });
        return found;
    }

    /** Of the child of this name; empty if there is none. */
    static String text(Element parent, String name) {
        return children(parent, name).stream()
                .map(Element::getTextContent)
                .map(String::strip)
                .findFirst()
                .orElse("");
    }

    private Modules() {}
}
