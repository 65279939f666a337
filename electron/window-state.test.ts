import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultWindow, parseWindowState, readWindowState, writeWindowState } from './window-state.ts';

const displays = [
  { x: 0, y: 0, width: 1920, height: 1080 },
  { x: 1920, y: 0, width: 1280, height: 1024 },
];

test('the window opens where it was', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wavetank-window-'));
  const file = join(folder, 'app', 'window.json');
  expect(readWindowState(file, displays)).toEqual(defaultWindow);
  writeWindowState(file, { x: 2000, y: 40, width: 1000, height: 700 }, true);
  expect(readWindowState(file, displays)).toEqual({ x: 2000, y: 40, width: 1000, height: 700, maximized: true });
  rmSync(folder, { recursive: true });
});

test.each([
  ['a display that is gone', '{"x":4000,"y":40,"width":1000,"height":700}', { width: 1000, height: 700, maximized: false }],
  ['above the display', '{"x":40,"y":-500,"width":1000,"height":700}', { width: 1000, height: 700, maximized: false }],
  ['a corner only', '{"x":1900,"y":1060,"width":1000,"height":700}', { x: 1900, y: 1060, width: 1000, height: 700, maximized: false }],
  ['too small', '{"x":10,"y":10,"width":1,"height":1}', { x: 10, y: 10, width: 800, height: 500, maximized: false }],
  ['no size', '{"x":10,"y":10}', defaultWindow],
  ['not JSON', '{', defaultWindow],
  ['not an object', 'null', defaultWindow],
])('a place that makes no sense is mended: %s', (_name, text, want) => {
  expect(parseWindowState(text, [displays[0] as (typeof displays)[0], { x: 1920, y: 0, width: 1280, height: 1200 }])).toEqual(want);
});
