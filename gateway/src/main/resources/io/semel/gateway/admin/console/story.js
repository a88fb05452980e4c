// SPDX-License-Identifier: Apache-2.0
import { get } from "./api.js";
import { result } from "./audit.js";
import { facts, h, isInUse, show, table } from "./dom.js";
import { bytes, micros, span, time } from "./format.js";
import { keyLink, state } from "./lists.js";
import { reveal, verdictButtons } from "./verdicts.js";

/** Looks for a key by what a client knows of it. */
export function find(query) {
  const found = h("div", {});
  const input = h("input", { name: "id", required: true, autocomplete: "off", spellcheck: "false", value: query.get("id") ?? "" });
  const form = h("form", { class: "search", role: "search", submit: (event) => {
    event.preventDefault();
    location.hash = "#find?" + new URLSearchParams({ id: input.value });
  } }, h("label", {}, "The client's Idempotency-Key", input), h("button", { class: "primary" }, "Find"));

  async function refresh() {
    if (!query.has("id")) {
      input.focus();
      return;
    }
    const { keys, complete } = await get("/api/search", { id: query.get("id") });
    if (keys.length === 1) {
      location.replace("#key?" + new URLSearchParams({ scope: keys[0].scope, id: keys[0].id }));
      return;
    }
    show(found, table("Keys with this id", [["key", keyLink], ["scope", (key) => key.scope], ["state", state],
      ["age", (key) => span(key.ageMillis), "number"]], keys, "Nothing is known of this key."),
    complete ? null : h("p", { class: "note" }, "There are more keys than were looked at."));
  }
  return { title: "Find a key", element: h("section", { class: "card" }, h("h2", {}, "Find a key"), form, found), refresh };
}

/** Everything that is known of one key. */
export function story(query) {
  const known = h("div", {});
  const answer = h("div", {});
  const happened = h("div", {});
  const asked = { scope: query.get("scope") ?? "", id: query.get("id") ?? "" };

  async function refresh(force) {
    const key = await get("/api/key", asked);
    const verdicts = verdictButtons(key, () => refresh(true));
    if (force || !isInUse(known)) {
      show(known, facts([["scope", key.scope], ["state", state(key)], ["why", key.why],
        ["attempts", String(key.attempts)], ["fence", String(key.fence)], ["holder", key.holder],
        [key.state === "held" || key.state === "lapsed" ? "claimed" : "settled", span(key.ageMillis) + " ago"],
        [remaining(key), span(key.remainingMillis)], ["stored", bytes(key.bytes)]]), verdicts);
    }
    if (key.state !== "settled") {
      show(answer, h("p", { class: "nothing" }, "There is none."));
    } else if (answer.querySelector("button, pre") === null) {
      show(answer, hidden(key, answer, () => refresh(true)));
    }
    show(happened, table("What this gateway saw", EVENTS, key.events, "This gateway saw nothing of it since it started."),
      table("What people did", ACTS, key.acts, "Nobody did anything about it."));
  }
  return { title: "Key", refresh, every: 2000, element: h("div", {},
    h("section", { class: "card" }, h("h2", {}, "Key"), h("p", { class: "key" }, asked.id), known),
    h("section", { class: "card" }, h("h2", {}, "Answer"), answer),
    h("section", { class: "card" }, h("h2", {}, "Story"), happened)) };
}

function remaining(key) {
  return { held: "lease left", lapsed: "", unknown: "refused for", settled: "replayed for", gone: "refused for" }[key.state]
    || "left";
}

function hidden(key, answer, refresh) {
  const note = h("p", { class: "note" }, "Retries get it; you see it when you ask for it.");
  return [note, h("button", { click: () => reveal(key, (shown) => {
    answer.replaceChildren(facts([["status", String(shown.status)]]),
      h("pre", { tabindex: 0, "aria-label": "headers" }, shown.headers.join("\n")),
      h("pre", { tabindex: 0, "aria-label": "body" }, shown.body ?? shown.bodyBase64));
    refresh();
  }) }, "Show the answer…")];
}

const EVENTS = [
  ["when", (event) => time(event.at), "word"],
  ["event", (event) => event.event, "word"],
  ["fence", (event) => event.fence === undefined ? "" : String(event.fence), "number"],
  ["more", (event) => more(event)],
];

const ACTS = [
  ["when", (act) => time(act.at), "word"],
  ["who", (act) => act.operator],
  ["from", (act) => act.from ?? "", "word"],
  ["act", (act) => act.act, "word"],
  ["why", (act) => act.why ?? ""],
  ["result", result, "word"],
];

function more(event) {
  const spans = [["claim", event.claimMicros], ["work", event.workMicros], ["settle", event.settleMicros], ["waited", event.waitedMicros]]
    .filter(([, value]) => value !== undefined).map(([name, value]) => name + " " + micros(value));
  const words = [event.operation, event.reason, event.why, event.operator, event.act].filter((word) => word !== undefined);
  return [...words, ...spans].join(", ");
}
