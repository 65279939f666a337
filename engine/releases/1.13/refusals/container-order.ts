/** The order in which release 1.13 told the faults of a container: its handlers and probes stood before all that follows its image. Mirrors validateContainers of its pkg/apis/core/validation. */
import type { Fault } from './faults.ts';

const member = /^(.*ontainers\[\d+\])\.(.*)$/s;
/** By what the path goes on with, in order; what is none of them comes behind them. */
const ranks: readonly RegExp[] = [/^(?:name|image)$/, /^lifecycle\b/, /^livenessProbe\b/, /^terminationMessagePolicy$/, /^readinessProbe\b/];

export function inOrderOfContainers(faults: readonly Fault[]): readonly Fault[] {
  return runsOf(prefixesFirst(faults)).flatMap((run) => (run.length === 1 ? run : run.toSorted((a, b) => rankOf(a) - rankOf(b))));
}

/** The prefix of variables was looked at before where they come from. */
function prefixesFirst(faults: readonly Fault[]): readonly Fault[] {
  const out: Fault[] = [];
  for (const fault of faults) {
    const [, list, index] = /^(.*\.envFrom)\[(\d+)\]\.prefix$/.exec(fault.field) ?? [];
    const later = list === undefined ? -1 : out.findIndex(({ field }) => field === list || (placeIn(list, field) ?? -1) >= Number(index));
    if (later < 0 || out.some(({ field }) => field === fault.field)) out.push(fault);
    else out.splice(later, 0, fault);
  }
  return out;
}

function placeIn(list: string, field: string): number | undefined {
  const place = field.startsWith(`${list}[`) ? /^\d+/.exec(field.slice(list.length + 1)) : null;
  return place === null ? undefined : Number(place[0]);
}

/** Faults of one container that stand together. What is judged twice is told twice, and each time is a run of its own. */
function runsOf(faults: readonly Fault[]): readonly (readonly Fault[])[] {
  const runs: Fault[][] = [];
  let owner: string | undefined;
  for (const fault of faults) {
    const own = member.exec(fault.field)?.[1];
    const run = runs.at(-1);
    const begins = run?.[0];
    if (run === undefined || begins === undefined || own === undefined || own !== owner || isSame(begins, fault)) runs.push([fault]);
    else run.push(fault);
    owner = own;
  }
  return runs;
}

function isSame(a: Fault, b: Fault): boolean {
  return a.field === b.field && a.text === b.text;
}

/** That containers which end have none of them was looked at last. */
function rankOf({ field, text }: Fault): number {
  if (text.endsWith(': must not be set for init containers')) return ranks.length;
  const rest = member.exec(field)?.[2] ?? '';
  const rank = ranks.findIndex((form) => form.test(rest));
  return rank < 0 ? ranks.length : rank;
}
