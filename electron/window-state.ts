/** Where the window was, kept between starts; a place that no display shows any more is forgotten. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface WindowState extends Partial<Rectangle> {
  readonly width: number;
  readonly height: number;
  readonly maximized: boolean;
}

export const defaultWindow: WindowState = { width: 1440, height: 900, maximized: false };
export const windowMin = { width: 800, height: 500 } as const;
/** So much of the window must be on a display for the person to reach it. */
const visibleMin = 100;

export function readWindowState(file: string, displays: readonly Rectangle[]): WindowState {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // The first start, or a file that cannot be read: the window opens in the middle.
    return defaultWindow;
  }
  return parseWindowState(text, displays);
}

export function parseWindowState(text: string, displays: readonly Rectangle[]): WindowState {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return defaultWindow;
  }
  if (typeof value !== 'object' || value === null) return defaultWindow;
  const { x, y, width, height, maximized } = value as Record<string, unknown>;
  if (!isNumber(width) || !isNumber(height)) return defaultWindow;
  const size = { width: Math.max(width, windowMin.width), height: Math.max(height, windowMin.height), maximized: maximized === true };
  if (!isNumber(x) || !isNumber(y) || !displays.some((display) => isReachable({ x, y, ...size }, display))) return size;
  return { x, y, ...size };
}

export function writeWindowState(file: string, bounds: Rectangle, maximized: boolean): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...bounds, maximized } satisfies WindowState));
}

function isReachable(window: Rectangle, display: Rectangle): boolean {
  const width = Math.min(window.x + window.width, display.x + display.width) - Math.max(window.x, display.x);
  const height = Math.min(window.y + window.height, display.y + display.height) - Math.max(window.y, display.y);
  // The title bar must not be above the display.
  return width >= visibleMin && height >= visibleMin && window.y >= display.y;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
