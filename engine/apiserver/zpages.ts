/**
 * Pages for people who look into a server: its options, what it is. Mirrors component-base zpages; the forms were read from a real 1.36.3.
 */
const notForMachines =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';

type Options = readonly (readonly [name: string, value: string])[];

/** `/flagz` */
export function flagz(options: Options): string {
  const lines = inOrder(options).map(([name, value]) => `${name}=${value}\n`);
  return `\napiserver flagz\n${notForMachines}\n${lines.join('')}`;
}

/** The same for programs. */
export function flagzMembers(options: Options): object {
  return { flags: Object.fromEntries(inOrder(options)) };
}

function inOrder(options: Options): Options {
  return options.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

export interface ServerState {
  readonly startedMs: number;
  readonly nowMs: number;
  /** `1.36` */
  readonly version: string;
}

const noGo = 'none (simulated)';
const statusPaths = ['/flagz', '/healthz', '/livez', '/metrics', '/readyz', '/statusz', '/version'];

/** `/statusz` for programs. There is no Go here whose version could be said. */
export function statuszMembers({ startedMs, nowMs, version }: ServerState): object {
  return {
    startTime: `${new Date(startedMs).toISOString().slice(0, 19)}Z`,
    uptimeSeconds: uptimeOf(startedMs, nowMs),
    ...{ goVersion: noGo, binaryVersion: version, emulationVersion: version, paths: statusPaths },
  };
}

function uptimeOf(startedMs: number, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - startedMs) / 1000));
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `/statusz` */
export function statusz({ startedMs, nowMs, version }: ServerState): string {
  const seconds = uptimeOf(startedMs, nowMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const lines = [
    `Started: ${unixDate(new Date(startedMs))}`,
    `Up: ${Math.floor(seconds / 3600)} hr ${two(Math.floor(seconds / 60) % 60)} min ${two(seconds % 60)} sec`,
    `Go version: ${noGo}`,
    `Binary version: ${version}`,
    `Emulation version: ${version}`,
    `Paths: ${statusPaths.join(' ')}`,
  ];
  return `\napiserver statusz\n${notForMachines}\n\n${lines.join('\n')}\n`;
}

/** As `date` prints it. */
function unixDate(date: Date): string {
  const day = String(date.getUTCDate()).padStart(2, ' ');
  return `${days[date.getUTCDay()]} ${months[date.getUTCMonth()]} ${day} ${date.toISOString().slice(11, 19)} UTC ${date.getUTCFullYear()}`;
}
