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

function resolve(key, done) {
  const status = field("Status", h("input", { name: "status", type: "number", min: 200, max: 599, value: 200, required: true }));
  const type = field("Content type", h("input", { name: "contentType", value: "application/json" }));
  const body = field("Body", h("textarea", { name: "body", rows: 4 }));
  ask("It happened", key, "Every retry of this key gets this answer from now on. This cannot be taken back.",
    [status, type, body], "Record this answer", (form) => post("/api/resolve", { ...named(key, form),
      status: Number(form.get("status")), contentType: form.get("contentType"), body: form.get("body") }), done);
}

function release(key, done) {
  ask("It did not happen", key, "The key becomes free, and the next retry is carried out. If it did happen after all, it happens twice.",
    [], "Free the key", (form) => post("/api/release", named(key, form)), done);
}

export function reveal(key, done) {
  ask("Show the answer", key, "Answers can contain what is nobody's business. That you looked is noted.",
    [], "Show it", (form) => post("/api/reveal", named(key, form)), done);
}

/** With the fence that was seen, so that nothing newer is settled by mistake. */
function named(key, form) {
  rememberOperator(form.get("operator"));
  const why = form.get("why").trim();
  return { scope: key.scope, id: key.id, fence: key.fence, operator: form.get("operator"), ...(why === "" ? {} : { why }) };
}

function field(name, input) {
  return h("label", {}, name, input);
}

function ask(title, key, text, fields, yes, act, done) {
  const wrong = h("p", { class: "wrong", role: "alert" });
  const who = field("Your name, for the audit trail", h("input", { name: "operator", value: operator(), required: true, maxlength: 200, autocomplete: "name" }));
  const why = field("Why, for the audit trail", h("input", { name: "why", maxlength: 1000, autocomplete: "off" }));
  const dialog = h("dialog", { "aria-label": title, close: () => dialog.remove() });
  const form = h("form", { submit: async (event) => {
    event.preventDefault();
    try {
      const result = await act(new FormData(form));
      dialog.close();
      done(result);
    } catch (refused) {
      wrong.replaceChildren(refused.message);
    }
  } }, h("h2", {}, title), h("p", { class: "key" }, key.id), h("p", { class: "note" }, key.scope), h("p", {}, text), fields, who, why, wrong,
  h("p", { class: "buttons" }, h("button", { class: "primary" }, yes),
    h("button", { type: "button", click: () => dialog.close() }, "Cancel")));
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
}
