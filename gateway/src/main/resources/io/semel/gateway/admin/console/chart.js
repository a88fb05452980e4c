// SPDX-License-Identifier: Apache-2.0
import { h, svg } from "./dom.js";

const HEIGHT = 170;
const LEFT = 52;
const BOTTOM = 20;
const TOP = 8;

/**
 * Lines over the last seconds. Pointing at a moment, or going there with the arrow keys, shows its values.
 *
 * series is a list of { name, kind, of }: of tells the value of a second, kind is its class in the style sheet.
 */
export function chart(title, length, series, format) {
  const values = series.map(() => h("b", {}, "–"));
  const legend = h("ul", { class: "legend" },
    series.map((each, i) => h("li", { class: each.kind }, h("i", {}), each.name + " ", values[i])));
  const moment = h("span", { class: "moment" });
  const canvas = svg("svg", { role: "img", tabindex: 0, height: HEIGHT, "aria-label": title });
  const element = h("figure", { class: "chart" }, h("figcaption", {}, title, " ", moment), canvas, legend);
  let seconds = [];
  let back = null;

  function point(next) {
    back = next === null ? null : Math.max(0, Math.min(length - 1, next));
    draw();
  }
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const part = (event.clientX - box.left - LEFT) / (box.width - LEFT);
    point(Math.round((1 - part) * (length - 1)));
  });
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("blur", () => point(null));
  canvas.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: 1, ArrowRight: -1, PageUp: 30, PageDown: -30 };
    if (steps[event.key] !== undefined) {
      event.preventDefault();
      point((back ?? 0) + steps[event.key]);
    }
  });

  function draw() {
    const width = Math.max(220, element.clientWidth - 2);
    const most = Math.max(0, ...series.flatMap((each) => seconds.map(each.of)));
    const top = most === 0 ? 1 : nice(most);
    const x = (ago) => LEFT + (width - LEFT - 2) * (1 - ago / (length - 1));
    const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
    canvas.setAttribute("width", width);
    canvas.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    canvas.replaceChildren(
      ...grid(most === 0 ? [0] : [0, top / 2, top], y, width, format), ...minutes(length, x),
      ...series.map((each) => svg("path", { class: "line " + each.kind, d: line(seconds.map(each.of), x, y) })),
      ...(back === null ? [] : [svg("path", { class: "cross", d: `M${x(back)} ${TOP}V${HEIGHT - BOTTOM}` })]));
    const second = seconds[seconds.length - 1 - (back ?? 0)];
    series.forEach((each, i) => values[i].replaceChildren(second === undefined ? "–" : format(each.of(second))));
    moment.replaceChildren(back === null ? "" : back + 1 + " s ago");
  }
  return { element, update(next) {
    seconds = next.slice(-length);
    draw();
  } };
}

function grid(values, y, width, format) {
  return values.flatMap((value) => [
    svg("path", { class: "grid", d: `M${LEFT} ${y(value)}H${width}` }),
    svg("text", { class: "label", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, format(value))]);
}

function minutes(length, x) {
  const labels = [];
  for (let ago = 60; ago < length; ago += 60) {
    labels.push(svg("text", { class: "label", x: x(ago), y: HEIGHT - 4, "text-anchor": "middle" }, `−${ago / 60} min`));
  }
  return [...labels, svg("text", { class: "label", x: x(0), y: HEIGHT - 4, "text-anchor": "end" }, "now")];
}

function line(values, x, y) {
  return values.map((value, i) =>
    (i === 0 ? "M" : "L") + x(values.length - 1 - i).toFixed(1) + " " + y(value).toFixed(1)).join("");
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function nice(most) {
  const ten = 10 ** Math.floor(Math.log10(most));
  return ten * [1, 2, 5, 10].find((step) => step * ten >= most * 0.999);
}
