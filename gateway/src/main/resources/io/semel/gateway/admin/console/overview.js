// SPDX-License-Identifier: Apache-2.0
import { get } from "./api.js";
import { activity, FAILURES, KINDS } from "./activity.js";
import { chart } from "./chart.js";
import { counts } from "./counts.js";
import { facts, h, show } from "./dom.js";
import { bytes, count, micros, percent, rate, span } from "./format.js";

const LENGTH = 300;

export function overview() {
  const tiles = h("div", { class: "tiles" });
  const store = h("section", { class: "card" });
  const sessions = h("section", { class: "card", hidden: true });
  const rates = chart("Calls a second", [...KINDS.map((kind) => ({ name: kind, kind, of: (second) => second[kind] })), { name: "failed", kind: "failed", of: failures }], rate);
  const answered = (second, value) => second.executed + second.replayed === 0 ? null : value;
  const spans = chart("Time to the answer", [
    { name: "p50", kind: "executed", of: (second) => answered(second, second.p50Micros) },
    { name: "p99", kind: "busy", of: (second) => answered(second, second.p99Micros) }], (value) => micros(Math.round(value)));
  let seconds = [];

  async function refresh() {
    const last = seconds.length === 0 ? -1 : seconds[seconds.length - 1].second;
    const [news, status, kept] = await Promise.all([get("/api/rates", { after: last }), get("/api/status"), counts(5000)]);
    if (news.second < last) {
      seconds = [];
      return refresh();
    }
    seconds = seconds.concat(news.seconds).slice(-LENGTH);
    const active = activity(seconds);
    rates.update(active.shown, active.ended);
    spans.update(active.shown, active.ended);
    show(store, storeOf(status, kept));
    sessions.hidden = status.sessions === undefined;
    show(sessions, sessionsOf(status.sessions));
    show(tiles, tilesOf(active, news.minute, status, kept));
  }
  return { title: "Overview", element: h("div", {}, tiles,
    h("p", { class: "note" }, "These count what the gateway did since it started. Its clients may count less: some have gone before their answer comes."),
    h("div", { class: "charts" }, h("section", { class: "card" }, rates.element), h("section", { class: "card" }, spans.element)), sessions, store),
  refresh, every: 1000 };
}

function failures(second) {
  return FAILURES.reduce((sum, kind) => sum + second[kind], 0);
}

function tilesOf(active, minute, status, counts) {
  const perSecond = (of) => active.rated.reduce((sum, second) => sum + of(second), 0) / active.rated.length;
  const released = status.outcomes.released ?? 0;
  const store = (status.outcomes.claimfailed ?? 0) + (status.outcomes.settlefailed ?? 0);
  const when = active.idle > 0 ? ", " + span(1000 * active.idle) + " ago; " : "; ";
  const answered = minute.executed + minute.replayed;
  const all = answered + minute.busy;
  const tile = (name, value, note, kind = "") => h("div", { class: "tile " + kind },
    h("h2", {}, name), h("p", { class: "value" }, value), h("p", { class: "note" }, note));
  return [
    ...KINDS.map((kind) => tile(kind, active.idle === null ? "–" : rate(perSecond((second) => second[kind])),
      (active.idle === null ? "in 5 min; " : "a second" + when) + count(status.outcomes[kind] ?? 0) + " in all", kind)),
    tile("failed", active.idle === null ? "–" : rate(perSecond(failures)),
      (active.idle === null ? "in 5 min; " : "a second" + when) + count(released) + " at the service, a retry runs; " + count(store) + " at the store",
      released + store > 0 ? "failed" : ""),
    tile("duplicates", all === 0 ? "–" : percent((minute.replayed + minute.busy) / all), "of the last minute's calls"),
    tile("p50", answered === 0 ? "–" : micros(minute.p50Micros), "to the answer, last minute"),
    tile("p99", answered === 0 ? "–" : micros(minute.p99Micros), "to the answer, last minute"),
    tile("under way", count(status.inFlight ?? 0), "requests, on " + count(status.connections ?? 0) + " connections"),
    tile("wait for you", count(counts.unknown + counts.lapsed), "keys: " + count(counts.unknown) + " unknown, " + count(counts.lapsed) + " lapsed",
      counts.unknown + counts.lapsed > 0 ? "unknown" : ""),
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
    ["lapsed", count(counts.lapsed)],
    ["unknown", count(counts.unknown)],
    ["gone, still refused", count(counts.gone)],
    ["size", "about " + bytes(counts.bytes)],
    ["up for", span(Date.now() - Date.parse(status.startedAt))]])];
}
