/** Times and durations as people read them. Virtual time is always UTC. */
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const pad = (value: number, width = 2) => String(value).padStart(width, '0');
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function formatDate(ms: number): string {
  const date = new Date(ms);
  return `${weekdays[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
/** `2 Jan`. */
export function formatShortDate(ms: number): string {
  const date = new Date(ms);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}
/** `January 2026`. */
export function formatMonth(ms: number): string {
  return new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(ms);
}
/** Without its day: for what stands beside one. Elsewhere `formatWhen` or `formatInstant`. */
export function formatTime(ms: number, precise = false): string {
  const date = new Date(ms);
  const text = `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}`;
  return precise ? `${text}.${pad(date.getUTCMilliseconds(), 3)}` : text;
}

/** With its day, whatever the day of now is: `Mon 23 Nov 2026 08:00:00`. */
export function formatInstant(ms: number, precise = false): string {
  return `${formatDate(ms)} ${formatTime(ms, precise)}`;
}
/** `23 Nov 08:00:00`, where instants stand below one another. */
export function formatDated(ms: number): string {
  return `${formatShortDate(ms)} ${formatTime(ms)}`;
}
/** A time of the day that is now, `22 Nov 23:50:00` of another day, `22 Nov 2025 …` of another year; '' of what is no instant. */
export function formatWhen(ms: number, nowMs: number, precise = false): string {
  if (Number.isNaN(new Date(ms).getTime())) return '';
  const time = formatTime(ms, precise);
  if (Math.floor(ms / day) === Math.floor(nowMs / day)) return time;
  const year = new Date(ms).getUTCFullYear();
  return `${formatShortDate(ms)} ${year === new Date(nowMs).getUTCFullYear() ? '' : `${year} `}${time}`;
}

/**
 * On an axis whose ticks are `stepMs` apart: `2026`, `Jan 2026`, `5 Jan`, `08:00`, `08:00:01`, `08:00:01.250`, `.250 125 µs`. Where days pass, a tick at
 * midnight is the day.
 */
export function formatTick(ms: number, stepMs: number): string {
  const date = new Date(ms);
  if (stepMs >= 200 * day) return String(date.getUTCFullYear());
  if (stepMs >= 20 * day) return `${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  if (stepMs >= day / 2) return formatShortDate(ms);
  if (stepMs >= minute) return ms % day === 0 ? formatShortDate(ms) : formatTime(ms).slice(0, 5);
  if (stepMs >= second) return formatTime(ms);
  if (stepMs >= 1) return formatTime(ms, true);
  const micros = Math.round((ms - Math.floor(ms)) * 1000);
  return `.${formatTime(ms, true).slice(-3)} ${pad(micros, 3)} µs`;
}

/** `850 ms`, `4.2 s`, `3m 20s`, `2h 5m`, `3d 4h`: two units at most. */
export function formatDuration(ms: number): string {
  const value = Math.abs(ms);
  if (value < 1) return `${Math.round(value * 1000)} µs`;
  if (value < second) return `${Math.round(value)} ms`;
  if (value < minute) return `${trim((value / second).toFixed(value < 10 * second ? 1 : 0))} s`;
  if (value < hour) return two(value, minute, 'm', second, 's');
  if (value < day) return two(value, hour, 'h', minute, 'm');
  return two(value, day, 'd', hour, 'h');
}
function two(value: number, unit: number, name: string, small: number, smallName: string): string {
  const whole = Math.floor(value / unit);
  const rest = Math.floor((value - whole * unit) / small);
  return rest === 0 ? `${whole}${name}` : `${whole}${name} ${rest}${smallName}`;
}
function trim(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text;
}

/** A Go duration such as `1h2m3.5s` in milliseconds. */
export function parseDuration(text: string): number {
  const units: Record<string, number> = { ms: 1, s: second, m: minute, h: hour };
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) total += Number(amount) * (units[unit ?? ''] ?? 0);
  return total;
}

/** A sentence with its Go durations written as people read them: `41.758s after` becomes `42 s after`. */
export function withDurations(text: string): string {
  return text.replaceAll(/(?<![\w.-])(?:\d+h)?(?:\d+m)?\d+(?:\.\d+)?(?:ms|s)(?![\w-])/g, (one) => formatDuration(parseDuration(one)));
}

/** What the engine counts in a sentence, as counts are written everywhere: `4 967 of 5 000 pods`. Other numbers may be ports, codes or names. */
export function withCounts(text: string): string {
  return text.replaceAll(
    /(?<![\w.:/-])(\d+)(\/| of )(\d+)(?= [a-z])/g,
    (_, some: string, of: string, all: string) => `${formatCount(Number(some))}${of}${formatCount(Number(all))}`,
  );
}

/** An instant typed by a person: RFC 3339, `2026-01-05 08:30`, a time of the shown day (`08:30`) or a distance (`+10m`). */
export function parseInstant(text: string, nowMs: number): number | undefined {
  const value = text.trim();
  if (/^[+-]/.test(value)) return parseDuration(value) > 0 ? nowMs + (value.startsWith('-') ? -1 : 1) * parseDuration(value) : undefined;
  if (/^\d{1,2}:\d{2}(:\d{2})?$/.test(value)) {
    const [h = 0, m = 0, s = 0] = value.split(':').map(Number);
    return Math.floor(nowMs / day) * day + h * hour + m * minute + s * second;
  }
  const parsed = Date.parse(/[zZ]|[+-]\d\d:\d\d$/.test(value) ? value : `${value.replace(' ', 'T')}Z`);
  return Number.isNaN(parsed) ? undefined : parsed;
}

export function formatCount(value: number): string {
  const [whole = '', fraction] = String(value).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ' ');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
/** Who wrote, in the name people know it by: `system:node:node-1` is the kubelet there. */
export function formatActor(identity: string): string {
  const [first, kind, , account] = identity.split(':');
  if (first !== 'system' || kind === undefined) return identity;
  if (kind === 'serviceaccount') return account ?? identity;
  if (kind === 'node') return `kubelet of ${identity.slice('system:node:'.length)}`;
  return identity.slice('system:'.length);
}
