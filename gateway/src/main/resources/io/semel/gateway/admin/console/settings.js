// SPDX-License-Identifier: Apache-2.0
import { get } from "./api.js";
import { facts, h, show, table } from "./dom.js";
import { bytes, duration } from "./format.js";

const ROUTES = [
  ["name", (route) => route.name],
  ["path", (route) => route.path],
  ["methods", (route) => route.methods],
  ["upstream", (route) => route.upstream],
  ["kept for", (route) => duration(route.retention)],
  ["then refused for", (route) => duration(route.remembrance)],
  ["lease", (route) => duration(route.lease)],
  ["duplicates wait", (route) => duration(route.waitWhenBusy)],
  ["a silent service", (route) => ({ refuse: "leaves it unknown", rerun: "a retry runs again", ask: "a URL is asked" })[route.whenSilent]],
  ["keys", (route) => route.key],
  ["bodies compared by", (route) => route.compare],
  ["after 5xx", (route) => ({ forget: "a retry runs", record: "the answer is kept", hold: "the key is unknown" })[route.serverErrors]],
  ["store unreachable", (route) => route.failOpen ? "runs unprotected" : "503"],
];

/** What the gateway was told. */
export function settings() {
  const element = h("div", {});
  return { title: "Settings", element, async refresh() {
    const [told, doctor] = await Promise.all([get("/api/settings"), get("/api/doctor")]);
    show(element,
      h("section", { class: "card" }, h("h2", {}, "Gateway"), facts([
        ["clients come to", told.listen], ["operators come to", told.admin + (told.adminToken ? ", with a token" : "")],
        ["store", told.store], ["level", doctor.level], ["round trip to the store", doctor.roundTripMicros + " µs"],
        ["store's clock", doctor.clockAheadMillis + " ms ahead"], ["transport", told.transport],
        ["callers are told apart by", told.verifiedTokens ? "verified tokens" : told.credentials],
        ["tenants by", told.tenantHeader], ["answers are sealed with", told.sealedWith],
        ["access log", told.accessLog], ["quotas", quotas(told.quotas)]])),
      h("section", { class: "card" }, h("h2", {}, "Routes"), table("Routes", ROUTES, told.routes, "")),
      h("section", { class: "card" }, h("h2", {}, "Limits"),
        facts(Object.entries(told.limits).map(([name, value]) => [name, name.endsWith("Bytes") ? bytes(Number(value)) : duration(value)]))));
  } };
}

/** Those that are set. */
function quotas({ window, ...most }) {
  const set = Object.entries(most).filter(([, value]) => value !== "0")
    .map(([name, value]) => name + " " + (name.endsWith("Bytes") ? bytes(Number(value)) : value));
  return set.length === 0 ? "none" : set.join(", ") + " in " + duration(window);
}
