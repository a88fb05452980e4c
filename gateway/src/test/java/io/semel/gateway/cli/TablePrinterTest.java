// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class TablePrinterTest {

    @Test
    void headAndRowsOfKeysAreAligned() {
        StringWriter out = new StringWriter();
        TablePrinter.print(new PrintWriter(out, true), JsonMapper.shared().readTree("""
            {"keys":[
            {"state":"settled","fence":1,"attempts":1,"ageMillis":1000,"scope":"http/anonymous","id":"KEY-1"},
            {"state":"unknown","fence":1763437200000001,"attempts":2,"ageMillis":1000,"scope":"shop","id":"KEY-2"}]}\
            """));

        List<String> lines = out.toString().lines().toList();
        int id = lines.get(0).indexOf("ID");
        int scope = lines.get(0).indexOf("SCOPE");
        assertThat(lines.get(1).indexOf("KEY-1")).isEqualTo(id);
        assertThat(lines.get(2).indexOf("KEY-2")).isEqualTo(id);
        assertThat(lines.get(1).indexOf("http/anonymous")).isEqualTo(scope);
        assertThat(lines.get(2).indexOf("shop")).isEqualTo(scope);
    }
}
