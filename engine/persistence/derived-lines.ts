/**
 * The lines of a base about what was derived from changes: known to be whole, and decoded when somebody asks, as a whole or piece by piece.
 * They are half of a base, and nothing that the cluster does next needs them.
 */
import type { JsonValue } from '../base/json.ts';
import { KeptLines } from './kept-lines.ts';
import { decodeLine } from './log-line.ts';
import type { LineAt } from './log-reader.ts';
import type { PartRecord } from './session-records.ts';

/** A member of a state, and the names that lead to it. */
export interface StatePiece {
  readonly path: readonly string[];
  readonly value: JsonValue;
}

export class DerivedLines {
  readonly #lines = new KeptLines();

  /** A whole line of that kind. */
  add(line: LineAt): void {
    this.#lines.add(line);
  }

  /** In the order in which they were written. */
  *pieces(): Generator<StatePiece> {
    for (const line of this.#lines) {
      const { p, v } = decodeLine(line) as PartRecord;
      yield { path: p.slice(1), value: v };
    }
  }

  whole(): JsonValue {
    const root: Record<string, JsonValue> = {};
    for (const { path, value } of this.pieces()) place(root, path, value);
    return root;
  }
}

/** Puts a piece where it belongs. */
export function place(root: Record<string, JsonValue>, path: readonly string[], value: JsonValue): void {
  let at = root;
  for (const name of path.slice(0, -1)) {
    if (!Object.hasOwn(at, name) || at[name] === null) at[name] = {};
    at = at[name] as Record<string, JsonValue>;
  }
  at[path.at(-1) ?? ''] = value;
}
