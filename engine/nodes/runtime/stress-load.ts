/**
 * The load of programs that are told by their arguments what to use: `stress` (--cpu, --vm, --vm-bytes, --timeout) and the one of
 * Kubernetes' documentation (-cpus, -mem-total, -mem-alloc-size, -mem-alloc-sleep).
 */
import { getOwn } from '../../base/dictionary.ts';
import { milliAmount } from '../../component-helpers/quantity-amount.ts';
import type { LoadPoint, LoadProfile } from './load.ts';

const defaultVmBytes = 256 * 1024 * 1024;
const allocationMs = 1_000;
const baseBytes = 1024 * 1024;
/** A curve has few points: beyond that allocation is one straight line. */
const stepsMax = 50;

/** What argv asks for; `undefined` values are those of an idle program. */
export function loadOfArguments(argv: readonly string[]): LoadProfile {
  const words = argv.flatMap((word) => (/^--?[a-z-]+=/.test(word) ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word]));
  const option = (...names: readonly string[]): string | undefined => {
    const at = words.findIndex((word) => names.includes(word));
    return at < 0 ? undefined : words[at + 1];
  };
  const cpu = option('--cpu', '-c', '-cpus', '--cpus');
  const total = option('-mem-total', '--mem-total');
  const vm = option('--vm', '-m');
  const memoryBytes = total !== undefined ? gradual(total, option) : vm !== undefined ? grown(vm, option('--vm-bytes')) : undefined;
  return {
    ...(cpu === undefined ? undefined : { milliCpu: [{ atMs: 0, value: numberOr(milliAmount(cpu), 0) }] }),
    ...(memoryBytes === undefined ? undefined : { memoryBytes }),
    processes: 1 + numberOr(Number(cpu ?? 0), 0) + numberOr(Number(vm ?? 0), 0),
  };
}

/** Each worker takes its bytes within a second. */
function grown(workers: string, bytes: string | undefined): readonly LoadPoint[] {
  const each = bytes === undefined ? defaultVmBytes : binaryBytes(bytes);
  const value = baseBytes + numberOr(Number(workers), 1) * each;
  return [
    { atMs: 0, value: baseBytes },
    { atMs: allocationMs, value },
  ];
}

function gradual(total: string, option: (...names: readonly string[]) => string | undefined): readonly LoadPoint[] {
  const all = binaryBytes(total);
  const step = Math.max(1, binaryBytes(option('-mem-alloc-size', '--mem-alloc-size') ?? '4Ki'));
  const pauseMs = seconds(option('-mem-alloc-sleep', '--mem-alloc-sleep') ?? '1ms') * 1000;
  const steps = Math.ceil(all / step);
  const lastMs = Math.max(1, steps * pauseMs);
  if (steps > stepsMax) {
    return [
      { atMs: 0, value: baseBytes },
      { atMs: lastMs, value: baseBytes + all },
    ];
  }
  const points: LoadPoint[] = [{ atMs: 0, value: baseBytes }];
  for (let i = 1; i <= steps; i++) {
    points.push(
      { atMs: i * pauseMs, value: baseBytes + Math.min(all, (i - 1) * step) },
      { atMs: i * pauseMs, value: baseBytes + Math.min(all, i * step) },
    );
  }
  return points;
}

const units: { readonly [suffix: string]: number } = { '': 1, b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** `150M`, `150Mi`, `1g`: powers of 1024, as the program counts. */
function binaryBytes(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([bkmgBKMG]?)i?[bB]?$/.exec(text);
  return match === null ? 0 : Number(match[1]) * (getOwn(units, (match[2] ?? '').toLowerCase()) ?? 1);
}

const times: { readonly [unit: string]: number } = { ms: 0.001, s: 1, m: 60, h: 3_600 };

function seconds(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text);
  if (match === null) return 0;
  return Number(match[1]) * (getOwn(times, match[2] ?? 's') ?? 1);
}

function numberOr(value: number, other: number): number {
  return Number.isFinite(value) && value >= 0 ? value : other;
}
