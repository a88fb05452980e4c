// SPDX-License-Identifier: Apache-2.0
import { get } from "./api.js";
import { result } from "./audit.js";
import { facts, h, isInUse, show, table } from "./dom.js";
import { bytes, span, time } from "./format.js";
import { fate, keyLink, more, request, state, status } from "./lists.js";
import { sessionHash, sessionsWith } from "./sessions.js";
import { reveal, verdictButtons } from "./verdicts.js";

/** Looks for a key, or a session, by what a client knows of it. */
export function find(query) {
  const found = h("div", {});
  const input = h("input", { name: "id", required: true, autocomplete: "off", spellcheck: "false", value: query.get("id") ?? "" });
  const form = h("form", { class: "search", role: "search", submit: (event) => {
    event.preventDefault();
    location.hash = "#find?" + new URLSearchParams({ id: input.value });
  } }, h("label", {}, "The client's Idempotency-Key, or Semel-Session", input), h("button", { class: "primary" }, "Find"));

  async function refresh() {
    if (!query.has("id")) {
      input.focus();
      return;
    }
    const [{ keys, complete }, sessions] = await Promise.all([get("/api/search", { id: query.get("id") }), sessionsWith(query.get("id"))]);
    if (keys.length + sessions.length === 1) {
      location.replace(sessions.length === 1 ? sessionHash(sessions[0]) : "#key?" + new URLSearchParams({ scope: keys[0].scope, id: keys[0].id }));
      return;
    }
    show(found, table("Keys with this id", [["key", keyLink], ["scope", (key) => key.scope], ["state", state],
      ["age", (key) => span(key.ageMillis), "number"]], keys, "Key not found."),
    sessions.length === 0 ? null : table("Sessions with this id", SESSIONS, sessions, ""),
    complete ? null : h("p", { class: "note" }, "There are more keys than were looked at."));
  }
  return { title: "Find", element: h("section", { class: "card" }, h("h2", {}, "Find a key or a session"), form, found), refresh };
}

const SESSIONS = [
  ["session", (session) => h("a", { href: sessionHash(session), class: "key" }, session.id)],
  ["scope", (session) => session.scope],
  ["lives", (session) => session.lives ? "yes" : "no"],
];

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
      const asked = key.requests[key.requests.length - 1] ?? {};
      show(known, facts([["request", request(asked)], ["scope", key.scope], ["state", state(key)], ["why", key.why],
        ["claimed", claims(key)], ["holder", key.holder],
        [key.state === "held" || key.state === "lapsed" ? "last claim" : "settled", span(key.ageMillis) + " ago"],
        [remaining(key), span(key.remainingMillis)], ["stored", bytes(key.bytes)]]), verdicts);
    }
    if (key.state !== "settled") {
      show(answer, h("p", { class: "nothing" }, "There is none."));
    } else if (answer.querySelector("button, pre") === null) {
      show(answer, hidden(key, answer, () => refresh(true)));
    }
    show(happened, table("Runs", RUNS, key.runs ?? [], "This gateway began no run of it since it started."),
      table("Requests", REQUESTS, key.requests, "This gateway saw no request of it since it started."),
      table("What this gateway saw", EVENTS, key.events, "This gateway saw nothing of it since it started."),
      table("What people did", ACTS, key.acts, "Nobody did anything about it."));
  }
  return { title: "Key", refresh, every: 2000, element: h("div", {},
    h("section", { class: "card" }, h("h2", {}, "Key"), h("p", { class: "key" }, asked.id), known),
    h("section", { class: "card" }, h("h2", {}, "Answer"), answer),
    h("section", { class: "card" }, h("h2", {}, "Story"), happened)) };
}

/** A retry that finds a silent holder claims the key too, with a fence of its own, whether it runs or is refused. */
function claims(key) {
  const times = key.attempts === 1 ? "once" : key.attempts + " times";
  return times + ", last with fence " + key.fence + (key.attempts === 1 ? "" : "; what ran is below");
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

const RUNS = [
  ["begun", (run) => time(run.at), "word"],
  ["fence", (run) => String(run.fence), "number"],
  ["ended", (run) => run.ended + (run.endedAt === undefined ? "" : ", " + time(run.endedAt))],
  ["request", (run) => run.request],
];

const EVENTS = [
  ["when", (event) => time(event.at), "word"],
  ["event", (event) => event.event, "word"],
  ["fence", (event) => event.fence === undefined ? "" : String(event.fence), "number"],
  ["more", more],
];

const REQUESTS = [
  ["when", (seen) => time(seen.at), "word"],
  ["request", request],
  ["status", status, "number"],
  ["what became of it", fate],
  ["request id", (seen) => seen.request ?? ""],
  ["trace", (seen) => seen.trace ?? ""],
];

const ACTS = [
  ["when", (act) => time(act.at), "word"],
  ["who", (act) => act.operator],
  ["from", (act) => act.from ?? "", "word"],
  ["act", (act) => act.act, "word"],
  ["why", (act) => act.why ?? ""],
  ["result", result, "word"],
];
