/** The log as a file: written at once or in batches, put aside when it has grown, on a disk that is full. */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { AuditLog, type AuditLogOptions } from './audit-log.ts';
import { startAudit } from './commands/audit-options.ts';

const made: string[] = [];
afterEach(() => made.splice(0).forEach((path) => rmSync(path, { recursive: true })));

function aFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'audit-'));
  made.push(path);
  return path;
}

/** A disk that takes so many bytes more, and a clock that a test moves. */
function aSystem() {
  const timers: (() => void)[] = [];
  const system = {
    room: Number.POSITIVE_INFINITY,
    atMs: Date.UTC(2026, 0, 1),
    said: [] as string[],
    timers,
    write: (fd: number, bytes: Uint8Array): number => {
      if (system.room <= 0) throw new Error('ENOSPC: no space left on device, write');
      const taken = bytes.subarray(0, system.room);
      system.room -= taken.length;
      return writeSync(fd, taken);
    },
    nowMs: () => system.atMs,
    after: (_delayMs: number, call: () => void) => {
      timers.push(call);
      return () => void timers.splice(timers.indexOf(call), 1);
    },
    say: (line: string) => void system.said.push(line),
  };
  return system;
}

function options(path: string, more: Partial<AuditLogOptions> = {}): AuditLogOptions {
  const rotation = { bytesMax: 0, backupsMax: 0, backupDaysMax: 0, compresses: false };
  return { path, mode: 'blocking', ...rotation, bufferSize: 10, batchSize: 1, batchWaitMs: 0, ...more };
}

test('a line is in the file when its request goes on; the file is for its owner, and goes on where it ended', async () => {
  const path = join(aFolder(), 'deep', 'audit.log');
  const log = new AuditLog(options(path), aSystem());
  expect(log.write('{"a":1}')).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await log.close();
  const again = new AuditLog(options(path), aSystem());
  again.write('{"a":2}');
  await again.close();
  expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"a":2}\n');
});

test('on a full disk requests go on and the loss is counted and told once; what comes later begins a line of its own', async () => {
  const path = join(aFolder(), 'audit.log');
  const system = aSystem();
  const log = new AuditLog(options(path), system);
  system.room = 4;
  expect([log.write('{"a":1}'), log.write('{"a":2}')]).toEqual([true, true]);
  expect([log.errors, system.said]).toEqual([2, ["Error in audit plugin 'log' affecting 1 audit events: ENOSPC: no space left on device, write"]]);
  system.room = 1000;
  expect(log.write('{"a":3}')).toBe(true);
  await log.close();
  expect(readFileSync(path, 'utf8')).toBe('{"a"\n{"a":3}\n');
});

test('blocking-strict says that the request must not go on', async () => {
  const system = aSystem();
  const log = new AuditLog(options(join(aFolder(), 'audit.log'), { mode: 'blocking-strict' }), system);
  expect(log.write('{}')).toBe(true);
  system.room = 0;
  expect(log.write('{}')).toBe(false);
  await log.close();
});

test('a batch is written when it is full or has waited; what finds no room in the buffer is lost', async () => {
  const path = join(aFolder(), 'audit.log');
  const system = aSystem();
  const log = new AuditLog(options(path, { mode: 'batch', bufferSize: 3, batchSize: 2, batchWaitMs: 1000 }), system);
  log.write('1');
  expect(readFileSync(path, 'utf8')).toBe('');
  system.timers.shift()?.();
  expect(readFileSync(path, 'utf8')).toBe('1\n');
  for (const line of ['2', '3', '4', '5']) log.write(line);
  expect(log.errors).toBe(1);
  await log.close();
  expect(readFileSync(path, 'utf8')).toBe('1\n2\n3\n4\n');
});

test('a log that has grown is put aside; the newest are kept, and compressed', async () => {
  const folder = aFolder();
  const path = join(folder, 'audit.log');
  const system = aSystem();
  writeFileSync(join(folder, 'audit-2020-01-01T00-00-00.000.log'), 'ancient\n');
  writeFileSync(join(folder, 'audit-other.log'), 'not ours\n');
  const log = new AuditLog(options(path, { bytesMax: 10, backupsMax: 2, backupDaysMax: 30, compresses: true }), system);
  for (const line of ['first 89', 'second 9', 'third 89', 'fourth 9']) {
    log.write(line);
    system.atMs += 1000;
  }
  await log.close();
  expect(readdirSync(folder).sort()).toEqual([
    'audit-2026-01-01T00-00-02.000.log.gz',
    'audit-2026-01-01T00-00-03.000.log.gz',
    'audit-other.log',
    'audit.log',
  ]);
  expect(gunzipSync(readFileSync(join(folder, 'audit-2026-01-01T00-00-03.000.log.gz'))).toString()).toBe('third 89\n');
  expect(readFileSync(path, 'utf8')).toBe('fourth 9\n');
});

test('a pipe is written to and never put aside', async () => {
  const path = join(aFolder(), 'audit.pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const log = new AuditLog(options(path, { bytesMax: 10 }), aSystem());
  for (const line of ['first 89', 'second 9', 'third 89']) log.write(line);
  await log.close();
  const read = Buffer.alloc(100);
  expect(read.toString('utf8', 0, readSync(reader, read))).toBe('first 89\nsecond 9\nthird 89\n');
  closeSync(reader);
  expect(statSync(path).isFIFO()).toBe(true);
});

const refused: readonly [given: Record<string, string>, message: string][] = [
  [
    { auditLogPath: 'x', auditLogMode: 'foo', auditLogFormat: 'bar', auditLogMaxage: '-1', auditLogMaxsize: '-1', auditLogMaxbackup: '-2' },
    `[invalid audit log mode foo, allowed modes are "batch,blocking,blocking-strict", invalid audit log format bar, allowed formats are "legacy,json", --audit-log-maxage -1 can't be a negative number, --audit-log-maxbackup -2 can't be a negative number, --audit-log-maxsize -1 can't be a negative number]`,
  ],
  [{ auditLogPath: 'x', auditLogMode: 'batch', auditLogBatchBufferSize: '0' }, 'invalid audit batch log buffer size 0, must be a positive number'],
  [
    { auditLogPath: 'x', auditPolicyFile: '/nowhere/policy.yaml' },
    'loading audit policy file: failed to read file path "/nowhere/policy.yaml": open /nowhere/policy.yaml: no such file or directory',
  ],
];

test.each(refused)('options %j are refused in upstream’s words, with its exit code', (given, message) => {
  expect(() => startAudit(given, () => undefined)).toThrow(expect.objectContaining({ message, exitCode: 1 }));
});

test('batches leave at the rate of the throttle', async () => {
  const path = join(aFolder(), 'audit.log');
  const system = aSystem();
  const log = new AuditLog(options(path, { mode: 'batch', throttle: { qps: 1, burst: 1 } }), system);
  const fire = (): void => system.timers.splice(0).forEach((call) => call());
  log.write('one');
  log.write('two');
  fire();
  fire();
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  system.atMs += 1_000;
  fire();
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  await log.close();
});

test.each([
  [{ auditLogTruncateMaxEventSize: '0' }, 'invalid audit truncate log max event size 0, must be a positive number'],
  [{ auditLogTruncateMaxBatchSize: '5' }, 'invalid audit truncate log max batch size 5, must be greater than max event size (102400)'],
  [
    { auditLogMode: 'batch', auditLogBatchThrottleEnable: 'true', auditLogBatchThrottleQps: '0', auditLogBatchThrottleBurst: '0' },
    'invalid audit batch log throttle QPS 0, must be a positive number',
  ],
  // As a real 1.36.3 says it.
  [
    {
      auditLogMode: 'batch',
      auditLogBatchBufferSize: '0',
      auditLogBatchMaxSize: '0',
      auditLogVersion: 'a/b',
      auditLogFormat: 'z',
      auditLogTruncateMaxEventSize: '0',
    },
    '[invalid audit batch log buffer size 0, must be a positive number, invalid audit truncate log max event size 0, must be a positive number, invalid group version, allowed versions are ["audit.k8s.io/v1"], invalid audit log format z, allowed formats are "legacy,json"]',
  ],
  [{ auditLogTruncateEnabled: 'maybe' }, 'invalid value "maybe" for --audit-log-truncate-enabled: expected `true` or `false`'],
])('limits that make no sense are refused: %o', (given, message) => {
  expect(() => startAudit({ auditLogPath: '-', ...given }, () => undefined)).toThrow(message);
});
