// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class PlotTest {

    @Test
    void columnsAreAsHighAsTheRatiosToTheFirst() throws Exception {
        Plot plot = new Plot();
        plot.add("Pairs & puts", 1, results(100, 50));
        plot.add("Pairs & puts", 64, results(1000, 2000));

        Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(plot.svg())));

        assertThat(texts(svg))
                .contains("Pairs & puts", "by hand <one>", "1 thread", "64 threads")
                .containsSubsequence("1.00", "0.50", "1.00", "2.00");
        assertThat(heights(svg)).containsExactly("75", "38", "75", "150");
    }

    private static List<Result> results(double first, double second) {
        return List.of(new Result("by hand <one>", first, 1), new Result("Semel", second, 1));
    }

    private static List<String> texts(Document svg) {
        NodeList all = svg.getElementsByTagName("text");
        return IntStream.range(0, all.getLength())
                .mapToObj(i -> all.item(i).getTextContent())
                .toList();
    }

    /** Of the columns: after the background and the legend. */
    private static List<String> heights(Document svg) {
        NodeList all = svg.getElementsByTagName("rect");
        return IntStream.range(3, all.getLength())
                .mapToObj(
                        i -> all.item(i).getAttributes().getNamedItem("height").getNodeValue())
                .toList();
    }
}
