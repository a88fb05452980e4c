// SPDX-License-Identifier: Apache-2.0
import { get } from "./api.js";
import { recount } from "./counts.js";
import { h, isInUse, show, table } from "./dom.js";
import { micros, span, time } from "./format.js";
import { sweepButtons } from "./sweep.js";
import { verdictButtons } from "./verdicts.js";

const PAGE = 100;

export function keyLink(key) {
  const query = new URLSearchParams({ scope: key.scope, id: key.id });
  return h("a", { href: "#key?" + query, class: "key" }, key.id);
}

export function state(key) {
  return h("span", { class: "state " + key.state }, key.state);
}

/** What was asked with a key, where this gateway saw it. */
export function request(key) {
  return key.method === undefined ? "" : key.method + " " + key.path;
}

const COLUMNS = [
  ["key", keyLink],
  ["request", request],
  ["scope", (key) => key.scope],
  ["state", state],
  ["age", (key) => span(key.ageMillis), "number"],
];

/** What is being carried out, the oldest first. */
export function inFlight() {
  return list("In flight", "in-flight", [...COLUMNS,
    ["lease", (key) => span(key.remainingMillis) + " left", "number"],
    ["claims", (key) => String(key.attempts), "number"],
    ["fence", (key) => String(key.fence), "number"]],
  "No requests in flight.", "Requests that were sent to the service and not answered yet.");
}

/** What waits for a person, because nobody knows whether it happened. */
export function unknown(again) {
  return settling("Unknown", "unknown", again, "No outcome is unknown.",
    "Nobody knows whether these happened, and every retry is refused. Find out at the service, then say so.");
}

/** Keys whose holder fell silent, and that nobody has asked for since. */
export function lapsed(again) {
  return settling("Lapsed", "lapsed", again, "Every holder is alive.",
    "Nobody knows whether these happened, and no retry has come since their service or gateway fell silent. The next one meets the route's policy, whenSilent; or settle them here.");
}

function settling(title, view, again, nothing, note) {
  const settled = () => {
    recount();
    again();
  };
  return list(title, view, [...COLUMNS, ["claims", (key) => String(key.attempts), "number"],
    ["", (key) => verdictButtons(key, settled)]], nothing, note, () => sweepButtons(view, settled));
}

/** The last keys that this gateway saw, the newest first. */
export function recent() {
  const rows = h("div", {});
  return { title: "Recent", every: 1000, element: h("section", { class: "card" }, h("h2", {}, "Recent"),
    h("p", { class: "note" }, "The last requests with a key that this gateway saw, one for each key."), rows),
  async refresh(force) {
    const { keys } = await get("/api/recent", { limit: PAGE });
    if (force || !isInUse(rows)) {
      show(rows, table("Recent", [["when", (key) => time(key.at), "word"], ["key", keyLink], ["request", request],
        ["status", status, "number"],
        ["what became of it", fate], ["scope", (key) => key.scope], ["trace", (key) => key.trace ?? ""]], keys,
      "This gateway saw no key since it started."));
    }
  } };
}

const ENDS = { executed: "carried out", released: "failed, not kept: a retry runs", unknown: "outcome unknown",
  replayed: "replayed", unprotected: "run without protection" };
const BEGINNINGS = { forwarded: "sent to the service", replayed: "replayed", unprotected: "run without protection" };

/** How a request with a key ended, or how far it is. */
export function fate(seen) {
  if (seen.fate === "forwarded" && seen.outcome !== undefined) {
    return ENDS[seen.outcome] ?? "refused: " + seen.code;
  }
  return BEGINNINGS[seen.fate] ?? "refused: " + seen.fate;
}

/** What its client was answered; nothing while it is not. */
export function status(seen) {
  return seen.status === undefined || seen.status === 0 ? "" : String(seen.status);
}

function list(title, view, columns, nothing, note, tools = () => null) {
  const rows = h("div", {});
  const above = h("div", {});
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
    if (keys.length === 0) {
      above.replaceChildren();
    } else if (above.childElementCount === 0) {
      above.append(...[tools()].filter((tool) => tool !== null));
    }
  }
  const element = h("section", { class: "card" }, h("h2", {}, title), h("p", { class: "note" }, note), above, rows, more);
  return { title, element, refresh, every: 1000 };
}

/** What an event says beside its name. */
export function more(event) {
  const spans = [["claim", event.claimMicros], ["work", event.workMicros], ["settle", event.settleMicros], ["waited", event.waitedMicros]]
    .filter(([, value]) => value !== undefined).map(([name, value]) => name + " " + micros(value));
  const words = [event.operation, event.reason, event.why, event.operator, event.act].filter((word) => word !== undefined);
  return [...words, ...spans].join(", ");
}
