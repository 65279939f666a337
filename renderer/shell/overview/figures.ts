/** The figures of the strip: what each says, where its curve is, and where it leads. */
import type { OverviewStatus } from '../../../engine/api/sim/v1alpha1/overview.ts';
import { formatCount } from '../../lib/format.ts';
import type { Place } from '../../state/address.ts';
import { texts } from '../../texts/texts.ts';

/** Where a click leads: a place with its filter, or a drawer; with nothing, nowhere. */
export interface Lead {
  readonly place?: Partial<Place>;
}
export interface Figure {
  readonly key: string;
  readonly name: string;
  readonly title: string;
  readonly value: string;
  readonly tone: 'plain' | 'bad' | 'warn';
  readonly curve: readonly number[] | undefined;
  /** What stands on it in red: what was missing at each instant. */
  readonly missing?: readonly number[];
  /** Of the curve, whatever the figure is now. */
  readonly curveTone: Figure['tone'];
  readonly lead: Lead;
}
export interface PodFigure {
  readonly state: string;
  readonly count: number;
  readonly title: string;
  readonly lead: Lead;
}

/** In the order in which they are read; those that are none are left out, but for the first. */
const podStates = ['Running', 'Starting', 'Pending', 'Stuck', 'Troubled', 'Unknown', 'Failed', 'Terminating', 'Succeeded'] as const;
/** These are told by the problems, with why. */
const inTrouble: ReadonlySet<string> = new Set(['Stuck', 'Troubled']);
export const podCurves = {
  good: ['pods/Running'],
  soft: ['pods/Starting', 'pods/Pending'],
  bad: ['pods/Stuck', 'pods/Troubled', 'pods/Failed', 'pods/Unknown'],
};

/** `requestsPerSecond` is told by engines that count requests. */
export type Served = OverviewStatus & { readonly requestsPerSecond?: number };

export function figuresOf(status: Served): readonly Figure[] {
  const { nodes, workloadsShort, cronJobsLate, faultsActive, warningsPerMinute, requestsPerSecond, curves } = status;
  const words = texts.overview;
  const counted = (
    key: 'workloads' | 'cronJobs' | 'faults' | 'warnings',
    count: number,
    tone: Figure['tone'],
    curve: string,
    lead: Lead,
  ): Figure => ({
    key,
    name: words[key].name(count),
    title: words[key].title(count),
    value: formatCount(count),
    tone: count > 0 ? tone : 'plain',
    curve: curveOf(curves, curve),
    curveTone: tone,
    lead,
  });
  return [
    {
      key: 'nodes',
      name: words.nodes.name,
      title: words.nodes.title(nodes.ready, nodes.total),
      value: `${formatCount(nodes.ready)}${words.nodes.of}${formatCount(nodes.total)}`,
      tone: nodes.ready < nodes.total ? 'bad' : 'plain',
      curve: curves?.['nodes/Ready'],
      missing: (curves?.['nodes'] ?? []).map((all, part) => Math.max(0, all - (curves?.['nodes/Ready']?.[part] ?? 0))),
      curveTone: 'plain',
      lead: { place: { view: 'timeline', kind: 'nodes' } },
    },
    counted('workloads', workloadsShort, 'bad', 'workloads/Short', { place: { view: 'problems', filter: 'workloads' } }),
    counted('cronJobs', cronJobsLate, 'bad', 'cronjobs/Late', { place: { view: 'cronjobs', filter: 'missed' } }),
    counted('faults', faultsActive, 'warn', 'faults/Active', { place: { view: 'faults' } }),
    counted('warnings', warningsPerMinute, 'warn', 'warnings', { place: { drawer: 'events', warnings: true } }),
    ...(requestsPerSecond === undefined
      ? []
      : [
          {
            key: 'requests',
            name: words.requests.name,
            title: words.requests.title(requestsPerSecond),
            value: formatCount(Math.round(requestsPerSecond * 10) / 10),
            tone: 'plain' as const,
            curve: curveOf(curves, 'requests'),
            curveTone: 'plain' as const,
            lead: { place: { view: 'requests' as const } },
          },
        ]),
  ];
}

/** The engine leaves out what was nothing all the time. */
function curveOf(curves: OverviewStatus['curves'], name: string): readonly number[] | undefined {
  return curves?.[name] ?? Object.values(curves ?? {})[0]?.map(() => 0);
}

export function podFiguresOf({ pods }: Served): readonly PodFigure[] {
  return podStates
    .map((state) => ({ state, count: pods[state] ?? 0, title: texts.overview.pods.title(state, pods[state] ?? 0), lead: leadOf(state) }))
    .filter(({ count }) => count > 0);
}

function leadOf(state: string): Lead {
  return { place: inTrouble.has(state) ? { view: 'problems', filter: 'pods' } : { view: 'objects', kind: 'pods', filter: `state=${state}` } };
}

/** Sums of curves, part by part: the pods that are well, that are on their way, and that are in trouble. */
export function sumOf(curves: OverviewStatus['curves'], names: readonly string[]): readonly number[] {
  const found = names.flatMap((name) => (curves?.[name] === undefined ? [] : [curves[name]]));
  return (found[0] ?? []).map((_, part) => found.reduce((sum, curve) => sum + (curve[part] ?? 0), 0));
}
