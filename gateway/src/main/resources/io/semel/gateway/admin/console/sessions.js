// SPDX-License-Identifier: Apache-2.0
import { get } from "./api.js";
import { facts, h, show, table } from "./dom.js";
import { span, time } from "./format.js";
import { more, state } from "./lists.js";

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Those with this id; none where the gateway offers no sessions, or where no session has such an id. */
export async function sessionsWith(id) {
  if (!ID.test(id)) {
    return [];
  }
  try {
    return (await get("/api/sessions", { id })).sessions;
  } catch (refused) {
    if (refused.status === 404) {
      return [];
    }
    throw refused;
  }
}

export function sessionHash(session) {
  return "#session?" + new URLSearchParams({ scope: session.scope, id: session.id });
}

/** What became of one client that numbers its requests. */
export function session(query) {
  const known = h("div", {});
  const requests = h("div", {});
  const happened = h("div", {});
  const asked = { scope: query.get("scope") ?? "", id: query.get("id") ?? "" };

  async function refresh() {
    const { sessions: [found] } = await get("/api/sessions", asked);
    const live = found?.lives ?? false;
    show(known, facts([["scope", asked.scope], ["lives", live ? "yes" : "no: it was closed, has expired, or never was"],
      ["expires, if its client is silent, in", live ? span(found.remainingMillis) : ""],
      ["client has received", live ? "all answers below " + found.receivedBelow : ""],
      ["highest number", live ? String(found.highest) : ""],
      ["terms", live ? found.mode + ", window " + found.window + ", lease " + span(found.leaseMillis) : ""]]));
    show(requests, table("Requests", REQUESTS, found?.requests ?? [], "None runs, and no answer is kept."));
    show(happened, table("What this gateway saw", EVENTS, found?.events ?? [], "This gateway saw nothing of it since it started."));
  }
  return { title: "Session", refresh, every: 2000, element: h("div", {},
    h("section", { class: "card" }, h("h2", {}, "Session"), h("p", { class: "key" }, asked.id), known),
    h("section", { class: "card" }, h("h2", {}, "Requests"), requests),
    h("section", { class: "card" }, h("h2", {}, "Story"), happened)) };
}

const REQUESTS = [
  ["number", (request) => String(request.number), "number"],
  ["state", state],
  ["lease", (request) => request.state === "running" ? span(request.remainingMillis) + " left" : "", "number"],
  ["fence", (request) => String(request.fence), "number"],
];

const EVENTS = [
  ["when", (event) => time(event.at), "word"],
  ["number", (event) => event.number, "number"],
  ["event", (event) => event.event, "word"],
  ["more", more],
];
