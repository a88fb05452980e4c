// SPDX-License-Identifier: Apache-2.0
// Elements are made here and nowhere else, and text is only ever text: clients choose their keys.

export function h(name, properties = {}, ...children) {
  return fill(document.createElement(name), properties, children);
}

export function svg(name, properties = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), properties, children);
}

function fill(element, properties, children) {
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === "function") {
      element.addEventListener(key, value);
    } else if (value === true) {
      element.setAttribute(key, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(key, value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Whether somebody is about to press something in it, which should not be replaced under their fingers. */
export function isInUse(element) {
  return element.contains(document.activeElement) || element.querySelector("a:hover, button:hover") !== null;
}

/** Replaces what is in the element, unless it would be the same, so that focus and selection stay. */
export function show(element, ...children) {
  const next = h("div", {}, ...children);
  if (element.childNodes.length !== next.childNodes.length
      || [...next.childNodes].some((child, i) => !child.isEqualNode(element.childNodes[i]))) {
    element.replaceChildren(...next.childNodes);
  }
}

/** Columns are [heading, how to show it, class]. In narrow windows each row becomes a card with its headings. */
export function table(caption, columns, rows, nothing) {
  if (rows.length === 0) {
    return h("p", { class: "nothing" }, nothing);
  }
  const head = columns.map(([name, , kind]) => h("th", { scope: "col", class: kind }, name));
  const body = rows.map((row) => h("tr", {}, columns.map(([name, cell, kind]) =>
    h("td", { "data-label": name, class: kind }, cell(row)))));
  return h("table", {}, h("caption", {}, caption), h("thead", {}, h("tr", {}, head)), h("tbody", {}, body));
}

export function facts(pairs) {
  return h("dl", {}, pairs.filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}
