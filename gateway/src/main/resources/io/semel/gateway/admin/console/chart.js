// SPDX-License-Identifier: Apache-2.0
import { h, svg } from "./dom.js";
import { span } from "./format.js";

const HEIGHT = 170;
const LEFT = 52;
const BOTTOM = 20;
const TOP = 8;
const STEPS = [5, 10, 15, 30, 60];
const MOST_LABELS = 6;

/**
 * Lines over some seconds. Pointing at a moment, or going there with the arrow keys, shows its values.
 *
 * series is a list of { name, kind, of }: of tells the value of a second, null where there is none; kind is its class in the style sheet.
 */
export function chart(title, series, format) {
  const values = series.map(() => h("b", {}, "–"));
  const legend = h("ul", { class: "legend" },
    series.map((each, i) => h("li", { class: each.kind }, h("i", {}), each.name + " ", values[i])));
  const moment = h("span", { class: "moment" });
  const canvas = svg("svg", { role: "img", tabindex: 0, height: HEIGHT, "aria-label": title });
  const element = h("figure", { class: "chart" }, h("figcaption", {}, title, " ", moment), canvas, legend);
  let seconds = [];
  let ended = 0;
  let back = null;

  function point(next) {
    back = next === null ? null : Math.max(0, Math.min(seconds.length - 1, next));
    draw();
  }
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const part = (event.clientX - box.left - LEFT) / (box.width - LEFT);
    point(Math.round((1 - part) * (seconds.length - 1)));
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
    const length = Math.max(2, seconds.length);
    const most = Math.max(0, ...series.flatMap((each) => seconds.map((second) => each.of(second) ?? 0)));
    const top = most === 0 ? 1 : nice(most);
    const x = (ago) => LEFT + (width - LEFT - 2) * (1 - ago / (length - 1));
    const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
    canvas.setAttribute("width", width);
    canvas.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    canvas.replaceChildren(
      ...grid(most === 0 ? [0] : [0, top / 2, top], y, width, format), ...times(length, ended, x),
      ...series.map((each) => svg("path", { class: "line " + each.kind, d: line(seconds.map(each.of), x, y) })),
      ...series.flatMap((each) => dots(seconds.map(each.of), x, y).map(([cx, cy]) => svg("circle", { class: "dot " + each.kind, cx, cy, r: 2.5 }))),
      ...(back === null ? [] : [svg("path", { class: "cross", d: `M${x(back)} ${TOP}V${HEIGHT - BOTTOM}` })]));
    const second = seconds[seconds.length - 1 - (back ?? 0)];
    series.forEach((each, i) => values[i].replaceChildren(text(second === undefined ? null : each.of(second), format)));
    moment.replaceChildren(back !== null ? span(1000 * (ended + back + 1)) + " ago"
      : ended > 0 ? "until " + span(1000 * ended) + " ago; nothing since" : "");
  }
  /** The seconds to show, and how long ago the last of them was. */
  return { element, update(next, ago) {
    seconds = next;
    ended = ago;
    draw();
  } };
}

function text(value, format) {
  return value === null ? "–" : format(value);
}

function grid(values, y, width, format) {
  return values.flatMap((value) => [
    svg("path", { class: "grid", d: `M${LEFT} ${y(value)}H${width}` }),
    svg("text", { class: "label", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, value === 0 ? "0" : format(value))]);
}

function times(length, ended, x) {
  const step = STEPS.find((each) => length / each <= MOST_LABELS) ?? STEPS[STEPS.length - 1];
  const labels = [];
  for (let ago = Math.ceil((ended + 1) / step) * step; ago < ended + length - step / 4; ago += step) {
    if (ago - ended > length / 12) {
      labels.push(svg("text", { class: "label", x: x(ago - ended), y: HEIGHT - 4, "text-anchor": "middle" }, "−" + short(ago)));
    }
  }
  return [...labels, svg("text", { class: "label", x: x(0), y: HEIGHT - 4, "text-anchor": "end" }, ended === 0 ? "now" : "−" + short(ended))];
}

function short(seconds) {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? seconds + " s" : minutes + (seconds % 60 === 0 ? " min" : ":" + String(seconds % 60).padStart(2, "0") + " min");
}

/** Where the values are that have no neighbours, and so no line. */
function dots(values, x, y) {
  const isNone = (i) => (values[i] ?? null) === null;
  return values.flatMap((value, i) => value === null || !isNone(i - 1) || !isNone(i + 1) ? []
    : [[x(values.length - 1 - i).toFixed(1), y(value).toFixed(1)]]);
}

/** With a gap where there is no value. */
function line(values, x, y) {
  return values.map((value, i) => {
    if (value === null) {
      return "";
    }
    const at = x(values.length - 1 - i).toFixed(1) + " " + y(value).toFixed(1);
    const begins = i === 0 || values[i - 1] === null;
    return (begins ? "M" : "L") + at;
  }).join("");
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function nice(most) {
  const ten = 10 ** Math.floor(Math.log10(most));
  return ten * [1, 2, 5, 10].find((step) => step * ten >= most * 0.999);
}
