// SPDX-License-Identifier: Apache-2.0
import { post } from "./api.js";
import { h } from "./dom.js";
import { count } from "./format.js";
import { answerFields, answerOf, ask, field, signed } from "./verdicts.js";

const AGES = [["1h", "an hour"], ["1d", "a day"], ["7d", "7 days"], ["30d", "30 days"], ["0s", "any age"]];

/** The same said about many keys; how many is counted before it is asked. */
export function sweepButtons(view, done) {
  return h("p", { class: "buttons" },
    h("button", { click: () => choose(view, release, done) }, "None of them happened…"),
    h("button", { click: () => choose(view, resolve, done) }, "All of them happened…"));
}

function choose(view, verdict, done) {
  const age = h("select", { name: "olderThan" }, AGES.map(([value, name]) => h("option", { value, selected: value === "7d" }, name)));
  ask("Settle many keys", [], "Which " + view + " keys? They are counted first; nothing is changed yet.",
    [field("At least this old", age), field("Of this scope; of all if empty", h("input", { name: "scope", autocomplete: "off", spellcheck: "false" }))],
    "Count them", async (form, tell) => {
      const asked = { view, olderThan: form.get("olderThan"), scope: form.get("scope").trim() };
      return { asked, found: await each(asked, tell, "counted") };
    }, ({ asked, found }) => found === 0 ? nothing(asked) : verdict(asked, found, done), []);
}

function nothing(asked) {
  ask("No such keys", [], "There is no " + asked.view + " key that is old enough.", [], "Good", async () => null, () => {}, []);
}

function release(asked, found, done) {
  const many = keys(found);
  ask("None of them happened", about(asked, many), "They become free, and their next retries are carried out. What did happen after all happens twice.",
    [], "Free " + many, (form, tell) => each({ ...asked, verdict: "release", ...signed(form) }, tell, "seen to"), done);
}

function resolve(asked, found, done) {
  const many = keys(found);
  ask("All of them happened", about(asked, many), "Every retry of these keys gets this answer from now on. This cannot be taken back.",
    answerFields(), "Record it for " + many,
    (form, tell) => each({ ...asked, verdict: "resolve", ...answerOf(form), ...signed(form) }, tell, "seen to"), done);
}

function about(asked, many) {
  return [h("p", { class: "key" }, many), h("p", { class: "note" }, asked.view + ", "
    + AGES.find(([value]) => value === asked.olderThan)[1] + (asked.scope === "" ? ", of all scopes" : ", of " + asked.scope))];
}

function keys(number) {
  return count(number) + (number === 1 ? " key" : " keys");
}

/** Page by page; tells how many there were. */
async function each(asked, tell, word) {
  let found = 0;
  let cursor = null;
  do {
    const page = await post("/api/sweep", { ...asked, ...(cursor === null ? {} : { cursor }) });
    found += page.found;
    cursor = page.next ?? null;
    tell(keys(found) + " " + word);
  } while (cursor !== null);
  return found;
}
