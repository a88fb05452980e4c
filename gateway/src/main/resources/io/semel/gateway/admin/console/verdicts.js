// SPDX-License-Identifier: Apache-2.0
import { operator, post, rememberOperator } from "./api.js";
import { h } from "./dom.js";

/** What a person can say about a key whose outcome nobody else knows. */
export function verdictButtons(key, done) {
  if (key.state !== "unknown" && key.state !== "lapsed") {
    return null;
  }
  return h("span", { class: "buttons" },
    h("button", { click: () => resolve(key, done) }, "It happened…"),
    h("button", { click: () => release(key, done) }, "It did not…"));
}

/** What retries get from now on. */
export function answerFields() {
  return [field("Status", h("input", { name: "status", type: "number", min: 200, max: 599, value: 200, required: true })),
    field("Content type", h("input", { name: "contentType", value: "application/json" })),
    field("Body", h("textarea", { name: "body", rows: 4 }))];
}

export function answerOf(form) {
  return { status: Number(form.get("status")), contentType: form.get("contentType"), body: form.get("body") };
}

function resolve(key, done) {
  ask("It happened", subject(key), "Every retry of this key gets this answer from now on. This cannot be taken back.",
    answerFields(), "Record this answer", (form) => post("/api/resolve", { ...named(key, form), ...answerOf(form) }), done);
}

function release(key, done) {
  ask("It did not happen", subject(key), "The key becomes free, and the next retry is carried out. If it did happen after all, it happens twice.",
    [], "Free the key", (form) => post("/api/release", named(key, form)), done);
}

export function reveal(key, done) {
  ask("Show the answer", subject(key), "Answers can contain confidential data. Viewing one is recorded in the audit log.",
    [], "Show it", (form) => post("/api/reveal", named(key, form)), done);
}

/** With the fence that was seen, so that nothing newer is settled by mistake. */
function named(key, form) {
  return { scope: key.scope, id: key.id, fence: key.fence, ...signed(form) };
}

/** Who acts, and why. */
export function signed(form) {
  rememberOperator(form.get("operator"));
  const why = form.get("why").trim();
  return { operator: form.get("operator"), ...(why === "" ? {} : { why }) };
}

export function field(name, input) {
  return h("label", {}, name, input);
}

function subject(key) {
  return [h("p", { class: "key" }, key.id), h("p", { class: "note" }, key.scope)];
}

/** The fields of somebody who acts. */
function signature() {
  return [field("Your name, for the audit log", h("input", { name: "operator", value: operator(), required: true, maxlength: 200, autocomplete: "name" })),
    field("Why, for the audit log", h("input", { name: "why", maxlength: 1000, autocomplete: "off" }))];
}

/** Asks before something is done. What it does is told the form and a way to say how far it is. */
export function ask(title, about, text, fields, yes, act, done, signing = signature()) {
  const wrong = h("p", { class: "wrong", role: "alert" });
  const dialog = h("dialog", { "aria-label": title, close: () => dialog.remove() });
  const primary = h("button", { class: "primary" }, yes);
  const form = h("form", { submit: async (event) => {
    event.preventDefault();
    primary.disabled = true;
    try {
      const result = await act(new FormData(form), (progress) => wrong.replaceChildren(progress));
      dialog.close();
      done(result);
    } catch (refused) {
      wrong.replaceChildren(refused.message);
    } finally {
      primary.disabled = false;
    }
  } }, h("h2", {}, title), about, h("p", {}, text), fields, signing, wrong,
  h("p", { class: "buttons" }, primary, h("button", { type: "button", click: () => dialog.close() }, "Cancel")));
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
}
