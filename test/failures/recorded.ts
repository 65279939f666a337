/**
 * What a real kube-controller-manager (1.36.3 and 1.13.12) did when the stages were played before it, kept in recorded.json, and how ours is
 * compared with it: the same things happen to the same nodes and pods, as often; seconds may differ by what depends on when somebody
 * looks next, and by nothing else.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Line, Timelines } from './played.ts';
import type { PlayedCase } from './played-cases.ts';
import type { Release } from './timing.ts';

const recordedFile = join(import.meta.dirname, 'recorded.json');

/** `--node-monitor-period`, and what a real control plane on a busy machine takes beside it. */
const lookSeconds = 5 + 1.5;
const podGcSeconds = 20 + 1.5;
/** Between taints at a limited rate, and from a taint to the deletion of a pod. */
const spacingSeconds = 1;
/** 1/secondary-node-eviction-rate */
const rateSecondsMax = 101;
const taint = '+unreachable:NoExecute';
const fromTaint = 'from the taint of its node';

export function readRecorded(release: Release, stage: string): Timelines | undefined {
  const all = JSON.parse(readFileSync(recordedFile, 'utf8')) as Readonly<Record<Release, Readonly<Record<string, Timelines>>>>;
  return all[release][stage];
}

/** Not compared: conditions that fall together with Ready, and one that came after 1.13. */
const passedBy: Readonly<Record<Release, RegExp>> = {
  '1.36': /^(Memory|Disk|PID)Pressure Unknown/,
  '1.13': /^((Memory|Disk|PID)Pressure Unknown|OutOfDisk Unknown|DisruptionTarget)/,
};

/** What only a pressure of work brings about: named by what happened in one of them only, with the reason. */
export const knownDifferences: Readonly<Record<string, string>> = {
  '1.36 all at once/a zone that comes back': 'the real pass took so long that a node was tainted before the pass had seen that all nodes are silent',
};

/** What differs, in words. */
export function compare(of: PlayedCase, release: Release, real: readonly Line[], ours: readonly Line[]): readonly string[] {
  const theirs = sorted(of, real, release);
  const mine = sorted(of, ours, release);
  const differences: string[] = [];
  for (const key of new Set([...theirs.keys(), ...mine.keys()])) {
    const a = theirs.get(key) ?? [];
    const b = mine.get(key) ?? [];
    if (a.length !== b.length) {
      differences.push(`${key}: ${a.length} times (${a.join(' ')}) in the real one, ${b.length} (${b.join(' ')}) in ours`);
      continue;
    }
    for (const [i, seconds] of a.entries())
      if (Math.abs(seconds - (b[i] ?? 0)) > toleranceOf(key, of)) differences.push(`${key}: ${seconds} s in the real one, ${b[i]} s in ours`);
    if (!key.endsWith(taint)) continue;
    for (let i = 1; i < a.length; i++) {
      const [gap, own] = [(a[i] ?? 0) - (a[i - 1] ?? 0), (b[i] ?? 0) - (b[i - 1] ?? 0)];
      // Rates keep the time to the second; after a disruption it is the next look that counts.
      if (Math.abs(gap - own) > (gap > rateSecondsMax ? lookSeconds : spacingSeconds))
        differences.push(`${key}: ${gap.toFixed(1)} s after the one before in the real one, ${own.toFixed(1)} s in ours`);
    }
  }
  return differences;
}

/** When nodes were tainted, in seconds after the first was found silent. */
export function taintedSeconds(lines: readonly Line[]): readonly number[] {
  const silent = lines.find(([, , what]) => what.startsWith('Ready Unknown'))?.[0] ?? 0;
  return lines.filter(([, , what]) => what === taint).map(([second]) => Math.round((second - silent) * 10) / 10);
}

/** Whether nodes were tainted as rates and thresholds say; 1.13 does so with the pass after that which finds them silent. */
export function isTaintedInTime({ tainted }: PlayedCase, lines: readonly Line[], release: Release): boolean {
  if (tainted === undefined) return true;
  const measured = taintedSeconds(lines);
  const first = measured[0] ?? 0;
  const isSpaced = tainted.seconds.every((second, i) => Math.abs((measured[i] ?? Number.NaN) - first - second) <= spacingSeconds);
  return measured.length === tainted.seconds.length && first >= 0 && first <= (release === '1.13' ? lookSeconds : spacingSeconds) && isSpaced;
}

function toleranceOf(key: string, { acts }: PlayedCase): number {
  const isCollected = acts.some((act) => 'remove' in act || 'taint' in act);
  if (key.startsWith(fromTaint)) return spacingSeconds;
  return isCollected ? podGcSeconds : lookSeconds;
}

/** Seconds by what happened. Nodes that fall silent together change places, and whose pod is deleted when depends on that. */
function sorted(of: PlayedCase, lines: readonly Line[], release: Release): ReadonlyMap<string, readonly number[]> {
  const isTogether = of.acts.some((act) => 'silence' in act && act.silence.length > 1);
  const isTolerated = of.acts.every((act) => !('remove' in act || 'taint' in act));
  const tainted = lines.find(([, who, what]) => who === 'node 0' && /^\+(unreachable|not-ready):NoExecute$/.test(what))?.[0];
  const found = new Map<string, number[]>();
  const put = (key: string, second: number): void => void found.set(key, [...(found.get(key) ?? []), second]);
  for (const [second, who, what] of lines) {
    if (passedBy[release].test(what)) continue;
    const isEviction = /Event TaintManager|deleted|DisruptionTarget/.test(what);
    if (!isEviction || !isTogether) put(`${isTogether && who.startsWith('node') ? 'a node' : who}: ${what}`, second);
    if (what === 'deleted' && isTolerated && !isTogether && tainted !== undefined) put(`${fromTaint}, ${who}: deleted`, second - tainted);
  }
  for (const seconds of found.values()) seconds.sort((a, b) => a - b);
  return found;
}
