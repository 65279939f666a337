/** Contrast of what is painted, where no tool for pages looks: words against what they stand on, marks and states against the ground. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { ClusterMapStatus, MapNode, MapPod } from '../../engine/api/sim/v1alpha1/cluster-map.ts';
import type { TimelineFault, TimelineRow } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { contrast, rgb, watchedCanvas } from '../testing/watched-canvas.ts';
import { paintFaultNames, placeFaultNames } from '../timeline/fault-names.ts';
import { type Palette, readPalette } from '../timeline/palette.ts';
import { paintArea } from '../timeline/paint-area.ts';
import { paintBar, paintRun } from '../timeline/paint-bar.ts';
import { paintAxis, paintOverlay } from '../timeline/paint-frame.ts';
import { paintLinks } from '../timeline/paint-links.ts';
import { readClassColours } from '../views/cluster/colours.ts';
import { layoutMap } from '../views/cluster/layout.ts';
import { paintCluster } from '../views/cluster/paint-cluster.ts';
import { paintLane } from '../views/cronjobs/paint-lane.ts';

const ofText = 4.5;
const ofMarks = 3;
const nowMs = Date.UTC(2026, 0, 5, 12);
const range = { fromMs: nowMs - 3_600_000, toMs: nowMs };
const [width, height] = [1000, 400] as const;
const sheet = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

function tokensOf(theme: string): (name: string) => string {
  const block = new RegExp(String.raw`\[data-theme='${theme}'\] \{([^}]*)\}`).exec(sheet)?.[1] ?? '';
  const values = new Map([...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]));
  return (name) => values.get(name) ?? '';
}

const states = [
  ...['Pending', 'ContainerCreating', 'Starting', 'Running', 'Ready', 'NotReady', 'CrashLoopBackOff', 'ErrImagePull', 'Unschedulable', 'Evicted'],
  ...['Succeeded', 'Complete', 'Failed', 'Unknown', 'Terminating', 'Suspended', 'Replaced'],
];
const fault: TimelineFault = { name: 'dark', type: 'node-power-loss', fromMs: nowMs - 60_000, affected: [] };
const row: TimelineRow = {
  ...{ id: 'cronjobs.batch/default/c', group: 'batch', version: 'v1', kind: 'CronJob', resource: 'cronjobs', name: 'c', uid: 'c' },
  ...{ createdMs: range.fromMs, marks: [] },
  segments: [{ fromMs: range.fromMs, state: 'Suspended' }],
};

/** What paints words, each with an empty canvas of the view's ground. */
const paints: { readonly [what: string]: (context: CanvasRenderingContext2D, palette: Palette, token: (name: string) => string) => void } = {
  'bars of states': (context, palette) =>
    [6, 7, 12, 39].forEach((tall, column) =>
      states.forEach((state, line) => paintBar(context, state, { x: column * 240, y: line * 50, width: 220, height: tall }, palette)),
    ),
  'runs of CronJobs': (context, palette) =>
    ['Running', 'Complete', 'Failed', 'Replaced', 'Deleted'].forEach((result, line) =>
      paintRun(context, result, { x: 0, y: line * 20, width: 200, height: 14 }, palette),
    ),
  'a lane that is suspended, and a zone’s doubled hour': (context, palette) => {
    const frame = { top: 0, height: 44, width, margin: 0, range, nowMs, knownMs: nowMs, palette, loaded: range, boxes: context };
    for (const layer of ['bars', 'marks'] as const) paintLane(context, row, [], [{ ms: nowMs - 1_800_000, minutes: -60 }], range, frame, layer);
  },
  'areas that are well, short and above their wish': (context, palette) => {
    const steps = [
      [range.fromMs, 3, 3, 3],
      [nowMs - 2_400_000, 3, 1, 3],
      [nowMs - 1_200_000, 3, 5, 5],
      [nowMs - 600_000, 3, 0, 0],
    ];
    paintArea(context, steps.flat(), {
      ...{ top: 2, height: 14, width, margin: 0, endMs: nowMs, palette, place: (left) => left },
      x: (ms) => ((ms - range.fromMs) / 3_600_000) * width,
    });
  },
  'the axis': (context, palette) => paintAxis(context, range, width, nowMs, palette),
  'names of faults': (context, palette) => paintFaultNames(context, placeFaultNames([fault], range, width, nowMs), 0, palette),
  'what is not known': (context, palette) =>
    paintOverlay(context, {
      ...{ range, width, height, nowMs, palette, cursorMs: undefined, brush: undefined, compared: undefined },
      ...{ unknownFromMs: nowMs - 600_000, paintOver: () => undefined },
    }),
  'names at the ends of arrows': (context, palette) =>
    paintLinks(
      context,
      [{ from: { ms: nowMs - 600_000, line: undefined, name: 'web' }, to: { ms: nowMs - 300_000, line: 2, name: 'web-1' }, hub: 'to' }],
      { ...{ range, width, height, rowHeight: 18, scrollTop: 0, palette, words: [] } },
    ),
  ...Object.fromEntries(([3, 40, undefined] as const).map((pods) => [`a map of ${pods ?? 'counted'} pods a node`, paintMap(pods)])),
};

function paintMap(count: number | undefined) {
  const pods = Array.from({ length: count ?? 0 }, (_, at): MapPod => {
    return { namespace: 'default', name: `web-${at}`, look: at % 2 === 0 ? 'Ready' : 'CrashLoop', place: 0, createdMs: 0, priority: 0 };
  });
  const node = (name: string, more: Partial<MapNode>): MapNode => ({
    ...{ name, zone: 0, ready: 'True', podCount: count ?? 90, room: 110, counts: [0, count ?? 90], milliCpu: 4000, requestedMilliCpu: 3900 },
    ...(count === undefined ? {} : { pods }),
    ...more,
  });
  const nodes = [
    ...[node('well', {}), node('empty', { podCount: 0, counts: [], ...(count === undefined ? {} : { pods: [] }) })],
    ...[node('silent', { ready: 'Unknown' }), node('broken', { ready: 'False' }), node('closed', { cordoned: true })],
    node('low', { pressures: ['MemoryPressure'] }),
  ];
  const zones = [{ name: 'sim-a', nodes: nodes.length }];
  return (context: CanvasRenderingContext2D, palette: Palette, token: (name: string) => string): void => {
    const map = { by: 'state', zones, nodes, classes: [], podCount: 0 } as unknown as ClusterMapStatus;
    const layout = layoutMap(map, 1300, 700);
    paintCluster(context, {
      ...{ map, layout, palette, nowMs, scrollTop: 0, height: 700, selected: '', hovered: '' },
      colours: readClassColours(token),
    });
  };
}

beforeAll(() => {
  // Shapes are not words: what they look like is no matter here.
  vi.stubGlobal('Path2D', class {});
});

describe.each(['light', 'dark'])('in the %s theme', (theme) => {
  const token = tokensOf(theme);
  const palette = readPalette(token);

  it.each(Object.entries(paints))('words of %s can be read', (_, paint) => {
    const { context, words } = watchedCanvas(palette.background);
    paint(context, palette, token);
    expect(words.length).toBeGreaterThan(0);
    expect(words.filter(({ contrast: found }) => found < ofText)).toEqual([]);
  });

  it('states, marks and classes stand out from the ground', () => {
    const { byState, named, unknown } = readClassColours(token);
    const marks = [palette.mark, palette.warning, palette.danger, palette.muted, palette.accent, palette.fault];
    const colours = [...Object.values(palette.state), ...marks, ...byState, ...named, unknown];
    const faint = [...new Set(colours)].flatMap((colour) =>
      [palette.background, palette.stripe].flatMap((ground) => {
        const found = contrast(rgb(colour), rgb(ground));
        return found < ofMarks ? [`${colour} on ${ground}: ${found.toFixed(2)}`] : [];
      }),
    );
    expect(faint).toEqual([]);
  });
});

it('a canvas is watched as a browser paints it', () => {
  const { context, words } = watchedCanvas('#ffffff');
  context.fillStyle = '#000000';
  context.fillText('black on white', 0, 10);
  context.globalAlpha = 0.5;
  context.fillRect(0, 0, 200, 20);
  context.globalAlpha = 1;
  context.fillText('black on grey', 0, 10);
  context.fillRect(0, 0, 20, 20);
  context.fillText('black on what is partly black', 0, 10);
  expect(words.map(({ contrast: found }) => Math.round(found * 10) / 10)).toEqual([21, 5.3, 1]);
});
