/** Where the clocks of a time zone jump: hours that are missing or come twice. */
export interface ZoneJump {
  readonly ms: number;
  /** Positive: so many minutes are missing; negative: so many come twice. */
  readonly minutes: number;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** A year and a bit: there are two jumps a year. */
const spanMax = 400 * dayMs;

/** None for a zone that this browser does not know. */
export function zoneJumps(zone: string, fromMs: number, toMs: number): readonly ZoneJump[] {
  if (zone === '' || toMs - fromMs > spanMax) return [];
  const offset = offsetIn(zone);
  if (offset === undefined) return [];
  const found: ZoneJump[] = [];
  let [at, before] = [fromMs, offset(fromMs)];
  while (at < toMs) {
    const next = Math.min(toMs, at + dayMs);
    const after = offset(next);
    if (after !== before) found.push({ ms: jumpBetween(at, next, before, offset), minutes: after - before });
    [at, before] = [next, after];
  }
  return found;
}

function jumpBetween(fromMs: number, toMs: number, before: number, offset: (ms: number) => number): number {
  let [low, high] = [fromMs, toMs];
  while (high - low > minuteMs) {
    const middle = (low + high) / 2;
    if (offset(middle) === before) low = middle;
    else high = middle;
  }
  return Math.round(high / minuteMs) * minuteMs;
}

/** Minutes that a zone is ahead of UTC, by instant. */
function offsetIn(zone: string): ((ms: number) => number) | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
  return (ms) => {
    const text = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(text) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
}
