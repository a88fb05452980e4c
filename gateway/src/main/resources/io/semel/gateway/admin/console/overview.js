// SPDX-License-Identifier: Apache-2.0
import { get } from "./api.js";
import { chart } from "./chart.js";
import { facts, h, show } from "./dom.js";
import { bytes, count, micros, percent, rate, span } from "./format.js";

const LENGTH = 300;
const KINDS = ["executed", "replayed", "busy", "mismatch", "unknown"];

export function overview() {
  const tiles = h("div", { class: "tiles" });
  const store = h("section", { class: "card" });
  const sessions = h("section", { class: "card", hidden: true });
  const rates = chart("Calls a second", LENGTH,
    KINDS.map((kind) => ({ name: kind, kind, of: (second) => second[kind] })), rate);
  const spans = chart("Time to the answer", LENGTH, [
    { name: "p50", kind: "executed", of: (second) => second.p50Micros },
    { name: "p99", kind: "busy", of: (second) => second.p99Micros }], (value) => micros(Math.round(value)));
  let seconds = [];
  let counts = null;
  let storeSeen = 0;

  async function refresh() {
    const last = seconds.length === 0 ? -1 : seconds[seconds.length - 1].second;
    const [news, status] = await Promise.all([get("/api/rates", { after: last }), get("/api/status")]);
    if (news.second < last) {
      seconds = [];
      return refresh();
    }
    seconds = seconds.concat(news.seconds).slice(-LENGTH);
    rates.update(seconds);
    spans.update(seconds);
    // Some stores look at every key to count them.
    if (Date.now() - storeSeen > 5000) {
      storeSeen = Date.now();
      counts = await get("/api/counts");
      show(store, storeOf(status, counts));
    }
    sessions.hidden = status.sessions === undefined;
    show(sessions, sessionsOf(status.sessions));
    show(tiles, tilesOf(seconds.slice(-10), news.minute, status, counts));
  }
  return { title: "Overview", element: h("div", {}, tiles, h("div", { class: "charts" },
    h("section", { class: "card" }, rates.element), h("section", { class: "card" }, spans.element)), sessions, store),
  refresh, every: 1000 };
}

function tilesOf(last, minute, status, counts) {
  const perSecond = (kind) => last.reduce((sum, second) => sum + second[kind], 0) / Math.max(1, last.length);
  const answered = minute.executed + minute.replayed;
  const all = answered + minute.busy;
  const stuck = counts.unknown + counts.lapsed;
  const tile = (name, value, note, kind = "") => h("div", { class: "tile " + kind },
    h("h2", {}, name), h("p", { class: "value" }, value), h("p", { class: "note" }, note));
  return [
    ...KINDS.map((kind) => tile(kind, rate(perSecond(kind)), "a second; " + count(status.outcomes[kind] ?? 0)
      + " in all", kind)),
    tile("duplicates", all === 0 ? "–" : percent((minute.replayed + minute.busy) / all), "of the last minute's calls"),
    tile("p50", answered === 0 ? "–" : micros(minute.p50Micros), "to the answer, last minute"),
    tile("p99", answered === 0 ? "–" : micros(minute.p99Micros), "to the answer, last minute"),
    tile("under way", count(status.inFlight ?? 0), "requests, on " + count(status.connections ?? 0) + " connections"),
    tile("wait for you", count(stuck), "keys: " + count(counts.unknown) + " unknown, " + count(counts.lapsed) + " given up",
      stuck > 0 ? "unknown" : ""),
  ];
}

const FATES = [["executed", "carried out"], ["replayed", "replayed"], ["busy", "told to come back"], ["mismatch", "other request, same number"],
  ["unknown", "outcome unknown"], ["stale", "stale: received before"], ["session_unknown", "session unknown"],
  ["session_expired", "session expired"], ["out_of_order", "out of order"], ["window_full", "window full"]];

/** What became of numbered requests, since the gateway started. */
function sessionsOf(sessions) {
  if (sessions === undefined) {
    return [];
  }
  const known = (value) => value === undefined ? "not known" : count(value);
  return [h("h2", {}, "Sessions"), facts([["open", known(sessions.open)], ["requests kept", known(sessions.kept)],
    ...FATES.map(([outcome, name]) => [name, count(sessions.outcomes[outcome] ?? 0)])])];
}

function storeOf(status, counts) {
  return [h("h2", {}, "Store"), facts([
    ["store", status.store],
    ["promise", status.promise],
    ["answers kept", count(counts.settled)],
    ["being carried out", count(counts.held)],
    ["given up by their holder", count(counts.lapsed)],
    ["unknown", count(counts.unknown)],
    ["gone, still refused", count(counts.gone)],
    ["size", "about " + bytes(counts.bytes)],
    ["up for", span(Date.now() - Date.parse(status.startedAt))]])];
}
