/** Classes that pods are counted in: a few dozen at most, whatever there is, named so that a legend can show them. */
import { podLooks, type MapColour } from '../api/sim/v1alpha1/cluster-map.ts';
import type { PodFacts } from './facts.ts';

export interface Classes {
  readonly names: readonly string[];
  /** Place in `names`. */
  of(pod: PodFacts): number;
  /** Until when that stays so while the pod does not change: Infinity for ever. */
  untilMs(pod: PodFacts): number;
}

const namedMax = 11;
const others = 'others';
export const nobody = 'no owner';
const unknown = 'unknown';
const minuteMs = 60_000;
/** What pods use is measured as often as metrics-server does. */
const useMs = 15_000;
const ages: readonly (readonly [string, number])[] = [
  ['under 1 min', minuteMs],
  ['under 10 min', 10 * minuteMs],
  ['under 1 h', 60 * minuteMs],
  ['under 6 h', 360 * minuteMs],
  ['under 1 d', 1440 * minuteMs],
  ['under 7 d', 7 * 1440 * minuteMs],
  ['older', Infinity],
];
/** Thousandths of a core. */
const amounts: readonly (readonly [string, number])[] = [
  ['none', 0],
  ['to 50m', 50],
  ['to 100m', 100],
  ['to 250m', 250],
  ['to 500m', 500],
  ['to 1', 1000],
  ['to 2', 2000],
  ['to 4', 4000],
  ['more', Infinity],
];

export interface ClassSources {
  readonly atMs: number;
  pods(): Iterable<PodFacts>;
  /** In thousandths of a core, where a kubelet says so. */
  use(pod: PodFacts): number | undefined;
}

export function classesOf(by: MapColour, sources: ClassSources): Classes {
  switch (by) {
    case 'state':
      return { names: podLooks, of: ({ look }) => podLooks.indexOf(look), untilMs: always };
    case 'ready':
      return {
        names: ['ready', 'not ready', 'ended'],
        of: ({ look, ready }) => (look === 'Succeeded' || look === 'Failed' ? 2 : ready && look !== 'Lost' ? 0 : 1),
        untilMs: always,
      };
    case 'owner':
      return named(sources, ({ owner }) => owner || nobody);
    case 'priority':
      return named(sources, ({ priority }) => String(priority));
    case 'age':
      return {
        ...stepped(namesOf(ages), ({ createdMs }) => ageOf(sources.atMs - createdMs)),
        untilMs: ({ createdMs }) => createdMs + (ages[ageOf(sources.atMs - createdMs)]?.[1] ?? Infinity),
      };
    case 'request':
      return stepped(namesOf(amounts), ({ milliCpu }) => placeOf(milliCpu));
    case 'use':
      return { ...stepped(namesOf(amounts), (pod) => placeOf(sources.use(pod))), untilMs: () => sources.atMs + useMs };
  }
}

function always(): number {
  return Infinity;
}

function namesOf(steps: readonly (readonly [string, number])[]): readonly string[] {
  return steps.map(([name]) => name);
}

function ageOf(ms: number): number {
  return ages.findIndex(([, end]) => ms < end);
}

function placeOf(milliCpu: number | undefined): number {
  return milliCpu === undefined ? -1 : amounts.findIndex(([, most]) => milliCpu <= most);
}

/** What is in no step is unknown. */
function stepped(names: readonly string[], place: (pod: PodFacts) => number): Classes {
  return {
    names: [...names, unknown],
    of: (pod) => {
      const found = place(pod);
      return found < 0 ? names.length : found;
    },
    untilMs: always,
  };
}

/** Those with the most pods have a class of their own. */
function named({ pods }: ClassSources, nameOf: (pod: PodFacts) => string): Classes {
  const counts = new Map<string, number>();
  for (const pod of pods()) {
    const name = nameOf(pod);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const most = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, namedMax);
  const places = new Map(most.map(([name], place) => [name, place]));
  return {
    names: counts.size > most.length ? [...places.keys(), others] : [...places.keys()],
    of: (pod) => places.get(nameOf(pod)) ?? most.length,
    untilMs: always,
  };
}
