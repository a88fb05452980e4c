// SPDX-License-Identifier: Apache-2.0
import { get } from "./api.js";
import { h, isInUse, show, table } from "./dom.js";
import { count, time } from "./format.js";
import { keyLink } from "./lists.js";

const COLUMNS = [
  ["when", (act) => time(act.at), "word"],
  ["who", (act) => act.operator],
  ["from", (act) => act.from ?? "", "word"],
  ["act", (act) => act.act, "word"],
  ["key", (act) => act.id === undefined ? "" : keyLink(act)],
  ["why", (act) => act.why ?? ""],
  ["result", result, "word"],
];

/** Where a process ended in the middle of an act, nobody noted its result. */
export function result(act) {
  return act.result === "BEGUN" ? "begun; its result was not noted" : act.result;
}

/** Who did what, the last first. */
export function audit() {
  const note = h("p", { class: "note" });
  const rows = h("div", {});
  return { title: "Audit", every: 5000,
    element: h("section", { class: "card" }, h("h2", {}, "Audit trail"), note, rows),
    async refresh() {
      const { acts, file, unreadable } = await get("/api/audit");
      show(note, "Names are as their owners gave them. All of it is in the file ", h("span", { class: "key" }, file), ".",
        unreadable === 0 ? "" : ` ${count(unreadable)} of its last lines are incomplete, after a crash or a full disk.`);
      if (!isInUse(rows)) {
        show(rows, table("Acts", COLUMNS, acts.reverse(), "Nobody did anything."));
      }
    } };
}
