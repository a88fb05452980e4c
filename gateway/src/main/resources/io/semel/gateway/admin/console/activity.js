// SPDX-License-Identifier: Apache-2.0

export const KINDS = ["executed", "replayed", "busy", "mismatch", "unknown"];
/** What did not end with an answer that is kept, nor in doubt: at the service, or at the store. */
export const FAILURES = ["released", "failed"];
const SHORTEST = 30;
const RATED = 10;
const EDGE = 2;

function isBusy(second) {
  return [...KINDS, ...FAILURES].some((kind) => second[kind] > 0);
}

/**
 * The part of the last seconds in which something happened: up to now, or to when it ended. With how long ago that was, in seconds,
 * and null if nothing happened.
 */
export function activity(seconds) {
  const first = seconds.findIndex(isBusy);
  if (first < 0) {
    return { shown: seconds.slice(-SHORTEST), rated: [], ended: 0, idle: null };
  }
  let last = seconds.length - 1;
  while (!isBusy(seconds[last])) {
    last--;
  }
  const idle = seconds.length - 1 - last;
  const end = idle > RATED ? last + 1 : seconds.length;
  const start = Math.max(0, Math.min(first - EDGE, end - SHORTEST));
  return { shown: seconds.slice(start, end), rated: seconds.slice(Math.max(first, end - RATED), end),
    ended: seconds.length - end, idle: idle > RATED ? idle : 0 };
}
