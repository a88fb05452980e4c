// SPDX-License-Identifier: Apache-2.0
import { get } from "./api.js";
import { h, isInUse, show, table } from "./dom.js";
import { micros, span } from "./format.js";
import { verdictButtons } from "./verdicts.js";

const PAGE = 100;

export function keyLink(key) {
  const query = new URLSearchParams({ scope: key.scope, id: key.id });
  return h("a", { href: "#key?" + query, class: "key" }, key.id);
}

export function state(key) {
  return h("span", { class: "state " + key.state }, key.state);
}

const COLUMNS = [
  ["key", keyLink],
  ["scope", (key) => key.scope],
  ["state", state],
  ["age", (key) => span(key.ageMillis), "number"],
];

/** What is being carried out, the oldest first. */
export function inFlight() {
  return list("In flight", "in-flight", [...COLUMNS,
    ["lease", (key) => key.state === "held" ? span(key.remainingMillis) + " left" : "ran out", "number"],
    ["attempts", (key) => String(key.attempts), "number"],
    ["fence", (key) => String(key.fence), "number"]],
  "Nothing is being carried out.", "Requests that were sent to the service and not answered yet.");
}

/** What waits for a person: unknown outcomes, and keys whose holder fell silent. */
export function stuck(again) {
  const columns = [...COLUMNS, ["attempts", (key) => String(key.attempts), "number"],
    ["", (key) => verdictButtons(key, again)]];
  const unknown = list("Unknown outcomes", "unknown", columns, "No outcome is unknown.",
    "Nobody knows whether these happened. Find out at the service, then say so.");
  const lapsed = list("Given up", "lapsed", columns, "Every holder is alive.",
    "Their holder fell silent. The next retry meets the route's policy; or settle them here.");
  return { title: "Unknown", element: h("div", {}, unknown.element, lapsed.element), every: 2000,
    refresh: (force) => Promise.all([unknown.refresh(force), lapsed.refresh(force)]) };
}

function list(title, view, columns, nothing, note) {
  const rows = h("div", {});
  const more = h("button", { click: () => { pages++; refresh(true); }, hidden: true }, "Show more");
  let pages = 1;

  async function refresh(force) {
    let keys = [];
    let cursor = null;
    for (let page = 0; page < pages && (page === 0 || cursor !== null); page++) {
      const found = await get("/api/keys", { view, limit: PAGE, cursor });
      keys = keys.concat(found.keys);
      cursor = found.next ?? null;
    }
    more.hidden = cursor === null;
    if (force || !isInUse(rows)) {
      show(rows, table(title, columns, keys, nothing));
    }
  }
  const element = h("section", { class: "card" }, h("h2", {}, title), h("p", { class: "note" }, note), rows, more);
  return { title, element, refresh, every: 1000 };
}

/** What an event says beside its name. */
export function more(event) {
  const spans = [["claim", event.claimMicros], ["work", event.workMicros], ["settle", event.settleMicros], ["waited", event.waitedMicros]]
    .filter(([, value]) => value !== undefined).map(([name, value]) => name + " " + micros(value));
  const words = [event.operation, event.reason, event.why, event.operator, event.act].filter((word) => word !== undefined);
  return [...words, ...spans].join(", ");
}
