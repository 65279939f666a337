import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { parseFlags } from './flag-set.ts';
import { openLog } from './log.ts';
import { schedulerFlags } from './scheduler-flags.ts';

const folder = mkdtempSync(join(tmpdir(), 'wavetank-log-'));
afterAll(() => rmSync(folder, { recursive: true }));
const atMs = Date.UTC(2026, 0, 2, 3, 4, 5) + 6.789;

function open(...args: string[]) {
  const out: string[] = [];
  const log = openLog('kube-scheduler', parseFlags('kube-scheduler', schedulerFlags(), args), {
    stderr: (text) => out.push(text),
    nowMs: () => atMs,
    pid: 42,
  });
  return { log, out };
}

describe('the log of a daemon', () => {
  test('has the head of klog', () => {
    const { log, out } = open();
    log.warning('ports', 'something');
    expect(out).toEqual(['W0102 03:04:05.006789      42 ports] something\n']);
  });

  test('--v says how much, --skip-headers and --logging-format how', () => {
    const { log, out } = open('--v=2', '--skip-headers');
    log.info('a', 'two', 2);
    log.info('a', 'three', 3);
    log.verbosity = 3;
    log.info('a', 'three again', 3);
    expect(out).toEqual(['two\n', 'three again\n']);
    const json = open('--logging-format=json');
    json.log.error('a', 'broken');
    expect(JSON.parse(json.out.join(''))).toMatchObject({ msg: 'broken', err: 'broken', logger: 'a' });
  });

  test('--logtostderr=false writes to --log-file, errors to standard error too, as --stderrthreshold says', () => {
    const path = join(folder, 'one.log');
    const { log, out } = open('--logtostderr=false', `--log-file=${path}`, '--skip-headers');
    log.info('a', 'calm');
    log.error('a', 'loud');
    log.close();
    expect(readFileSync(path, 'utf8')).toBe('calm\nloud\n');
    expect(out).toEqual(['loud\n']);
    const lower = open('--logtostderr=false', `--log-file=${path}`, '--skip-headers', '--stderrthreshold=INFO');
    lower.log.info('a', 'calm');
    lower.log.close();
    expect(lower.out).toEqual(['calm\n']);
    const also = open('--logtostderr=false', '--alsologtostderr', `--log-file=${path}`, '--skip-headers');
    also.log.info('a', 'both');
    also.log.close();
    expect(also.out).toEqual(['both\n']);
  });

  test('--log-dir gets a file of the process; lines wait for --log-flush-frequency', () => {
    vi.useFakeTimers();
    try {
      const { log } = open('--logtostderr=false', `--log-dir=${join(folder, 'dir')}`, '--log-flush-frequency=3s');
      log.info('a', 'later');
      const [name = ''] = readdirSync(join(folder, 'dir'));
      expect(name).toMatch(/^kube-scheduler\..+\.log\.20260102-030405\.42$/);
      const read = (): string => readFileSync(join(folder, 'dir', name), 'utf8');
      vi.advanceTimersByTime(2_900);
      expect(read()).toBe('');
      vi.advanceTimersByTime(200);
      expect(read()).toContain('later');
      log.close();
    } finally {
      vi.useRealTimers();
    }
  });

  test('a threshold, a format and a place that are none are refused', () => {
    expect(() => open('--stderrthreshold=x')).toThrow('--stderrthreshold');
    expect(() => open('--logging-format=x')).toThrow('format: Invalid value: "x": Unsupported log format');
    expect(() => open('--logtostderr=false', '--log-file=/nope/x')).toThrow('log: cannot create log');
  });
});
