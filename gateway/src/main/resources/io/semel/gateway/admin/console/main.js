// SPDX-License-Identifier: Apache-2.0
import { get, signIn } from "./api.js";
import { audit } from "./audit.js";
import { counts } from "./counts.js";
import { h } from "./dom.js";
import { inFlight, lapsed, recent, unknown } from "./lists.js";
import { overview } from "./overview.js";
import { session } from "./sessions.js";
import { settings } from "./settings.js";
import { find, story } from "./story.js";

const again = () => refresh(true);
const VIEWS = { overview, recent, "in-flight": inFlight, unknown: () => unknown(again), lapsed: () => lapsed(again), find, key: story, session, audit, settings };
const main = document.getElementById("main");
const notice = document.getElementById("notice");
const health = document.getElementById("health");
let view = null;
let timer = 0;

function route() {
  const [name, query] = location.hash.slice(1).split("?", 2);
  const chosen = Object.hasOwn(VIEWS, name) ? name : "overview";
  for (const link of document.querySelectorAll("nav a")) {
    const here = link.hash === "#" + chosen || ((chosen === "key" || chosen === "session") && link.hash === "#find");
    here ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  }
  view = VIEWS[chosen](new URLSearchParams(query ?? ""));
  document.title = view.title + " · Semel";
  main.replaceChildren(view.element);
  refresh();
}

async function refresh(force = false) {
  clearTimeout(timer);
  const shown = view;
  try {
    await shown.refresh(force);
    say("");
  } catch (refused) {
    if (refused.status === 401) {
      askForToken();
      return;
    }
    say(refused.message);
  }
  if (shown === view && shown.every !== undefined) {
    timer = setTimeout(refresh, document.hidden ? 5 * shown.every : shown.every);
  }
}

function say(text) {
  notice.hidden = text === "";
  notice.replaceChildren(text);
}

function askForToken() {
  const token = h("input", { type: "password", required: true, autocomplete: "current-password" });
  main.replaceChildren(h("section", { class: "card" }, h("h2", {}, "Sign in"), h("form", { class: "search", submit: (event) => {
    event.preventDefault();
    signIn(token.value);
    route();
  } }, h("label", {}, "The gateway's admin token", token), h("button", { class: "primary" }, "Sign in"))));
  token.focus();
}

async function look() {
  try {
    const now = await get("/health");
    health.className = now.status;
    health.replaceChildren(now.status === "up" ? "up" : now.store === "up" ? "stopping" : "store is down");
  } catch {
    health.className = "down";
    health.replaceChildren("no answer");
  }
  setTimeout(look, 5000);
}

/** What waits for a person is seen from every view; without a token nobody is told. */
async function remind() {
  try {
    await counts(15000);
  } catch {
    // The view itself says what is wrong.
  }
  setTimeout(remind, 15000);
}

document.getElementById("skip").addEventListener("click", () => main.focus());
window.addEventListener("hashchange", route);
route();
look();
remind();
