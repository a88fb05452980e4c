// SPDX-License-Identifier: Apache-2.0

export function count(number) {
  return Number(number).toLocaleString("en");
}

export function rate(number) {
  return number >= 100 ? count(Math.round(number)) : Number(number.toFixed(1)).toLocaleString("en");
}

export function bytes(number) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  let value = number;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return (unit === 0 ? value : value.toFixed(1)) + " " + units[unit];
}

export function micros(number) {
  if (number < 1000) {
    return number + " µs";
  }
  return number < 1e6 ? (number / 1000).toFixed(number < 1e4 ? 1 : 0) + " ms" : (number / 1e6).toFixed(1) + " s";
}

export function span(millis) {
  if (millis < 1000) {
    return Math.max(0, Math.round(millis)) + " ms";
  }
  const seconds = Math.floor(millis / 1000);
  if (seconds < 120) {
    return seconds + " s";
  }
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (minutes < 120) {
    return minutes + " min";
  }
  if (days > 36500) {
    return "without end";
  }
  const [big, unit, small, rest] = hours < 48 ? [hours, " h", minutes % 60, " min"] : [days, " d", hours % 24, " h"];
  return big + unit + (small === 0 ? "" : " " + small + rest);
}

/** A span as Java writes it, such as PT24H. */
export function duration(iso) {
  const found = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(iso);
  return found === null ? iso : span(1000 * ((found[1] ?? 0) * 3600 + (found[2] ?? 0) * 60 + (found[3] ?? 0) * 1));
}

export function time(iso) {
  return new Date(iso).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

export function percent(part) {
  return (100 * part).toFixed(1) + " %";
}
