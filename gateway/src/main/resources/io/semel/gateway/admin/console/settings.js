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
        ["tenants by", told.tenantHeader]])),
      h("section", { class: "card" }, h("h2", {}, "Routes"), table("Routes", ROUTES, told.routes, "")),
      h("section", { class: "card" }, h("h2", {}, "Limits"),
        facts(Object.entries(told.limits).map(([name, value]) => [name, name.endsWith("Bytes") ? bytes(Number(value)) : duration(value)]))));
  } };
}
