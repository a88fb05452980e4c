// SPDX-License-Identifier: Apache-2.0
import { get } from "./api.js";
import { count } from "./format.js";

let last = null;
let seen = 0;

/** How many keys are in which state, at most this old: some stores look at every key to count them. */
export async function counts(maxAge) {
  if (last === null || Date.now() - seen > maxAge) {
    seen = Date.now();
    last = await get("/api/counts");
    badge("unknown", last.unknown);
    badge("lapsed", last.lapsed);
  }
  return last;
}

/** After something was settled. */
export function recount() {
  last = null;
  return counts(0);
}

function badge(view, number) {
  const element = document.getElementById("badge-" + view);
  element.hidden = number === 0;
  element.replaceChildren(count(number));
}
