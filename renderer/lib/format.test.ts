import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { formatActor, formatCount, formatDuration, formatWhen, parseInstant, withCounts, withDurations } from './format.ts';

const now = Date.UTC(2026, 0, 5, 8, 10);

describe('durations', () => {
  it.each([
    [0.02, '20 µs'],
    [850, '850 ms'],
    [4200, '4.2 s'],
    [50_000, '50 s'],
    [350_000, '5m 50s'],
    [7_500_000, '2h 5m'],
    [273_600_000, '3d 4h'],
  ])('%d is %s', (ms, text) => expect(formatDuration(ms)).toBe(text));
});

describe('sentences', () => {
  it.each([
    ['1 of 1 Node node-2 as expected, 41.758s after step power-loss began', '1 of 1 Node node-2 as expected, 42 s after step power-loss began'],
    ['came true 1h0m30.5s after the start, earlier than 10m0.012s', 'came true 1h after the start, earlier than 10m'],
    ['2 of 13 Pods as expected, 850ms after step s-3s began', '2 of 13 Pods as expected, 850 ms after step s-3s began'],
  ])('%s', (text, read) => expect(withDurations(text)).toBe(read));
});

describe('instants', () => {
  it.each([
    [now - 600_000, '08:00:00'],
    [now - 86_400_000, '4 Jan 08:10:00'],
    [Date.UTC(2025, 11, 31, 23, 59, 59), '31 Dec 2025 23:59:59'],
    [Date.parse('0001-01-01T00:00:00Z'), '1 Jan 1 00:00:00'],
    [Number.NaN, ''],
    [9e15, ''],
  ])('%d is %s', (ms, text) => expect(formatWhen(ms, now)).toBe(text));
});

describe('instants a person types', () => {
  it.each([
    ['08:30', now + 20 * 60_000],
    ['+10m', now + 600_000],
    ['-1h30m', now - 5_400_000],
    ['2026-01-05 09:00', now + 50 * 60_000],
    ['2026-01-05T10:00:00+01:00', now + 50 * 60_000],
    ['soon', undefined],
  ])('%s', (text, ms) => expect(parseInstant(text, now)).toBe(ms));
});

describe('actors', () => {
  it.each([
    ['system:serviceaccount:kube-system:replicaset-controller', 'replicaset-controller'],
    ['system:node:node-1', 'kubelet of node-1'],
    ['system:kube-scheduler', 'kube-scheduler'],
    ['kubernetes-admin', 'kubernetes-admin'],
  ])('%s', (identity, text) => expect(formatActor(identity)).toBe(text));
});

it('no instant is written without its day but beside one', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\.|lib\/format/.test(name),
  );
  const bare = sources.filter((name) => readFileSync(join(root, name), 'utf8').includes('formatTime('));
  expect(bare.toSorted()).toEqual(['shell/TimeBar.tsx', 'shell/inspector/ChangeTab.tsx']);
});

it.each([
  [12, '12'],
  [5_000, '5 000'],
  [1_234_567, '1 234 567'],
  // What a busy machine achieves of a speed.
  [0.0084, '0.0084'],
  [1_234.5678, '1 234.5678'],
])('the digits of %d are told in threes, but not those of a fraction', (value, text) => expect(formatCount(value)).toBe(text));

it.each([
  ['4967 of 5000 pods available: x', '4 967 of 5 000 pods available: x'],
  ['no node takes it: 0/5000 nodes are available: 5000 node(s)', 'no node takes it: 0/5 000 nodes are available: 5000 node(s)'],
  ['Post "https://10.0.0.1:10250/4000 of": 1 of 3', 'Post "https://10.0.0.1:10250/4000 of": 1 of 3'],
  ['1 of 3 pods', '1 of 3 pods'],
])('counts in “%s”', (text, read) => expect(withCounts(text)).toBe(read));
