// SPDX-License-Identifier: Apache-2.0

/** The token is kept by this tab alone, and goes into a header, never into an address. */
const TOKEN = "semel-token";
const NAME = "semel-operator";

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export function signIn(token) {
  sessionStorage.setItem(TOKEN, token);
}

export function operator() {
  return localStorage.getItem(NAME) ?? "";
}

export function rememberOperator(name) {
  localStorage.setItem(NAME, name);
}

export function get(path, query = {}) {
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== null)).toString();
  return call(path + (asked === "" ? "" : "?" + asked), {});
}

export function post(path, body) {
  return call(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

async function call(path, request) {
  const token = sessionStorage.getItem(TOKEN);
  const headers = { ...request.headers, ...(token === null ? {} : { Authorization: "Bearer " + token }) };
  let response;
  try {
    response = await fetch(path, { ...request, headers, cache: "no-store", credentials: "omit" });
  } catch {
    throw new Refused(0, "The gateway does not answer.");
  }
  const body = await response.json();
  // What says how it is doing says so with its status too.
  if (!response.ok && body.error !== undefined) {
    throw new Refused(response.status, body.error);
  }
  return body;
}
