import { expect, it } from 'vitest';
import { zoneJumps } from './zone-jumps.ts';

const year = [Date.UTC(2026, 0, 1), Date.UTC(2026, 11, 31)] as const;

it.each([
  ['Europe/Berlin', ['2026-03-29T01:00:00.000Z 60', '2026-10-25T01:00:00.000Z -60']],
  ['Australia/Lord_Howe', ['2026-04-04T15:00:00.000Z -30', '2026-10-03T15:30:00.000Z 30']],
  ['Asia/Kolkata', []],
  ['Nowhere/Else', []],
  ['', []],
])('clocks of %s', (zone, told) =>
  expect(zoneJumps(zone, ...year).map(({ ms, minutes }) => `${new Date(ms).toISOString()} ${minutes}`)).toEqual(told),
);
