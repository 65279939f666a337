/**
 * Rows that nobody sees, read and painted while the page rests. Code that goes over thousands of steps and marks is twice as slow until it was compiled,
 * and whoever asks first for an order of a busy cluster would wait for that.
 */
import { type PackedRow, type PackedTimeline, unpackTimeline } from '../../engine/api/sim/v1alpha1/packed-timeline.ts';
import { paintLife, paintMarks, type RowFrame } from './paint-row.ts';
import { readPalette } from './palette.ts';
import { PixelBoxes } from './pixel-boxes.ts';

const rows = 4;
const steps = 500;
const marks = 120;
const rounds = 6;
const [width, rowHeight] = [1000, 26];
const spanMs = 1000 * steps;

/** `rested` resolves when there is time for a few milliseconds' work. */
export async function rehearseRows(context: CanvasRenderingContext2D, rested: () => Promise<void>): Promise<void> {
  const text = JSON.stringify(madeUp());
  const boxes = new PixelBoxes();
  const palette = readPalette((name) => (name === '--font' ? 'sans-serif' : '#808080'));
  const range = { fromMs: 0, toMs: spanMs };
  for (let round = 0; round < rounds; round++) {
    await rested();
    boxes.begin(width, rows * rowHeight, 1);
    const { rows: read } = unpackTimeline(JSON.parse(text) as PackedTimeline);
    read.forEach((row, index) => {
      const place = { top: index * rowHeight, height: rowHeight, width, margin: 0, range, loaded: range, nowMs: spanMs, knownMs: spanMs };
      const frame: RowFrame = { ...place, palette, boxes, words: [] };
      paintLife(context, row, frame);
      paintMarks(context, row, frame);
    });
  }
}

/** A rollout as a busy row has it: all are wished for at once; they come one by one, then some go and come again by each step. */
function madeUp(): PackedTimeline {
  const area = Array.from({ length: steps }, (_none, step) => [step === 0 ? 0 : 1e6, step === 0 ? steps : 0, readyAt(step) - readyAt(step - 1), 1]);
  const one: PackedRow = {
    name: 'rehearsal',
    uid: '',
    kind: 0,
    namespace: 1,
    life: [0],
    segments: [0, 0, 2, 0, 0],
    area: area.flat(),
    marks: Array.from({ length: marks }, (_none, mark) => [(spanMs / marks) * 1000, 1, mark === 0 ? 0 : 1, mark % 3]).flat(),
  };
  return {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'Timeline',
    metadata: { name: 'rehearsal' },
    range: { fromMs: 0, toMs: spanMs, startMs: 0, nowMs: spanMs },
    total: rows,
    faults: [],
    crashes: [],
    words: ['', 'default', 'Exists', 'status', 'event', 'Warning', 'Normal'],
    texts: { forms: ['status.readyReplicas: # → #'], texts: Array.from({ length: rows }, (_none, row) => [0, `${row} ${row + 1}`] as const) },
    kinds: [['apps', 'v1', 'ReplicaSet', 'replicasets']],
    sorts: [
      [3, 0, 0, 1],
      [4, 5, 0, 1],
      [4, 6, 0, 1],
    ],
    rows: Array.from({ length: rows }, () => one),
    cluster: { pods: [], nodes: [] },
  };
}

function readyAt(step: number): number {
  if (step < 0) return 0;
  return step < steps / 2 ? step : step - 15 * (step % 2);
}
