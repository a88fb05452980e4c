// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CoverageTest {

    /** Overrides the only test of case 41, which is none any more. */
    static class Silenced extends PlainContract {

        @Override
        public void aRequestThatFailedItsValidationMayComeCorrected(HttpBench bench) {}
    }

    private static Coverage coverage(LeftOut leftOut) {
        return new Coverage(PlainContract.class, false, leftOut);
    }

    @Test
    void everyCaseHasATestOrIsOfTheRulesAlone() {
        assertThat(coverage(LeftOut.nothing()).mistakes()).isEmpty();
        assertThat(HttpCase.all()).hasSize(66);
        assertThat(HttpCase.all().filter(each -> !each.isOnTheWire()).map(HttpCase::number))
                .containsExactly(16, 50, 51);
    }

    @Test
    void whatTheContractDoesNotHaveCannotBeLeftOut() {
        LeftOut wrong = LeftOut.nothing().tests("misspelt", "noSuchTest").cases("there is none", 67);

        assertThat(coverage(wrong).mistakes())
                .containsExactly(
                        "The contract has no noSuchTest, which is left out.",
                        "The contract has no 67, which is left out.");
    }

    @Test
    void whatIsLeftOutHasAReason() {
        assertThatThrownBy(() -> LeftOut.nothing().cases(" ", 41)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTestThatWasOverriddenIsNamed() {
        Coverage coverage = new Coverage(Silenced.class, false, LeftOut.nothing());

        assertThat(coverage.mistakes()).containsExactly("Case 41 has neither a test nor a reason to be left out.");
    }

    @Test
    void aTableGetsItsColumnAndItsReasonsAndKeepsTheOthers() {
        List<String> page = List.of(
                "| case | what it says | a | b |",
                "| ---: | --- | --- | --- |",
                "| 41 | old words | ✓ | ✓ |",
                "",
                "## Left out",
                "",
                "- **a** 45: of old.",
                "- **b** 46: of another.");

        List<String> right =
                CoverageTable.with(page, "a", coverage(LeftOut.nothing().cases("it has no front", 41)));

        assertThat(right).hasSize(page.size() + 66);
        assertThat(right)
                .contains("| 41 | a request that is refused before it runs may come corrected with its key | – | ✓ |");
        assertThat(right).contains("| 16 | the parser copes with 1,024 characters | rules alone |  |");
        assertThat(right.subList(right.indexOf("## Left out"), right.size()))
                .containsExactly(
                        "## Left out",
                        "",
                        "- **a** 41: it has no front.",
                        "- **a** 45, 46, 47: there is no transaction that a handler and its record share.",
                        "- **b** 46: of another.");
        assertThat(CoverageTable.with(right, "a", coverage(LeftOut.nothing().cases("it has no front", 41))))
                .isEqualTo(right);
    }

    @Test
    void aTableWithoutTheColumnIsRefused() {
        List<String> page = List.of("| case | what it says |", "| ---: | --- |", "", "## Left out", "");

        assertThatThrownBy(() -> CoverageTable.with(page, "a", coverage(LeftOut.nothing())))
                .hasMessageContaining("no column 'a'");
    }
}
