/** What the deterministic rooms must not say, and what to say instead (law 1, law 6). Each pattern is looked for in code, not in comments. */
export interface Ban {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Files or rooms where it is allowed, with the reason in a comment beside the entry. */
  readonly except: readonly string[];
}

/** Rooms that live on host time and may touch the machine. */
export const hostRooms = ['engine/serving', 'engine/persistence', 'engine/host'] as const;

export const bans: readonly Ban[] = [
  { pattern: /\bDate\.now\b/, instead: 'Clock.nowMs()', except: [] },
  { pattern: /\bnew Date\(\s*\)/, instead: 'new Date(clock.nowMs())', except: [] },
  { pattern: /\bMath\.random\b/, instead: 'random.stream(name)', except: [] },
  { pattern: /\bperformance\.now\b/, instead: 'LoopHost.wallMs()', except: [] },
  { pattern: /\b(setTimeout|setInterval|setImmediate|queueMicrotask)\(/, instead: 'TaskLoop.setTimer, after or soon', except: [] },
  { pattern: /\brandom(UUID|Bytes)\(/, instead: 'random.stream(name)', except: [] },
  { pattern: /\blocaleCompare\b/, instead: 'compare code units', except: [] },
  // Offsets of time zones come from the engine's own data; the file is the one door to it.
  { pattern: /\bIntl\./, instead: 'component-helpers/cron/time-zone.ts', except: ['engine/component-helpers/cron/time-zone.ts'] },
  {
    pattern: /\bMath\.(sin|cos|tan|exp|log|log2|log10|pow|sinh|cosh|tanh|cbrt|hypot|expm1|log1p|atan2)\(/,
    instead: 'integer arithmetic, or a documented door',
    except: [],
  },
  { pattern: /from 'node:/, instead: 'a capability given by the host', except: [] },
  { pattern: /^(export )?let /m, instead: 'state inside the object that owns it (law 6)', except: [] },
  { pattern: /\b(TODO|FIXME|XXX)\b/, instead: 'an honest answer and a line in docs/differences.md', except: [] },
  { pattern: /@ts-(ignore|expect-error|nocheck)/, instead: 'a type that is true', except: [] },
  { pattern: /\bas any\b|: any\b/, instead: 'unknown and a check', except: [] },
];
