// SPDX-License-Identifier: Apache-2.0
import { get } from "./api.js";
import { h, show, table } from "./dom.js";
import { time } from "./format.js";
import { keyLink } from "./lists.js";

const COLUMNS = [
  ["when", (act) => time(act.at)],
  ["who", (act) => act.operator],
  ["from", (act) => act.from ?? ""],
  ["act", (act) => act.act],
  ["key", keyLink],
  ["result", (act) => act.result],
];

/** Who did what, the last first. */
export function audit() {
  const rows = h("div", {});
  return { title: "Audit", every: 5000,
    element: h("section", { class: "card" }, h("h2", {}, "Audit trail"),
      h("p", { class: "note" }, "Names are as their owners gave them. Every act is also in the file of --audit."), rows),
    async refresh() {
      const { acts } = await get("/api/audit");
      show(rows, table("Acts", COLUMNS, acts.reverse(), "Nobody did anything."));
    } };
}
