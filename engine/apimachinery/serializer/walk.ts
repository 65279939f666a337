/** Where the reader of a document is, and what Go's decoder calls that place. */
import { inlineMark } from './compile.ts';
import { breaksOff, DecodeError } from './scalars.ts';

/**
 * What becomes of empty lists and maps: `none`, as in storage, whose protobuf cannot tell them from absent ones; `written`, those that Go's
 * JSON encoder writes, for fields that it writes even when they are nil; `all`, as a client sent them.
 */
export type Keeps = 'none' | 'written' | 'all';

/** Which of several misfits is told: the first of the document, of it with its keys sorted (YAML and patches are read so), or of the type (what is converted). */
export type Tells = 'first' | 'firstSorted' | 'firstOfType';

/** Go's strict decoder names so many faults and is silent about the rest. */
export const strictErrorsMax = 100;

/** Where the walk is, for the texts of errors. */
export interface Walk {
  /** Names of fields and places in lists from the root to here; a path is made of them only when something is to be said. */
  readonly path: (string | number)[];
  /** Unknown fields met, as paths such as `spec.containers[0].foo`; not collected when absent. */
  readonly unknown: string[] | undefined;
  readonly keeps: Keeps;
  /** Where misfits are gathered, which end the walk otherwise. */
  readonly misfits?: DecodeError[];
  readonly sorts?: boolean;
  /** Empty lists and maps kept as they were given. */
  empties: number;
  /** Messages and lists around the value. */
  depth: number;
}

export function newWalk(unknown: string[] | undefined, keeps: Keeps = 'none'): Walk {
  return { path: [], unknown, keeps, empties: 0, depth: 0 };
}

/** Before keys of maps on a path: Go's decoder names unknown fields with them, and misfits without. */
export const keyMark = '\0';

/** `spec.containers[0].image`; with one name more when there is one. */
export function pathOf({ path }: Pick<Walk, 'path'>, name?: string, withKeys = false): string {
  let text = '';
  for (const place of name === undefined ? path : [...path, name]) {
    if (typeof place === 'number') text += `[${place}]`;
    else if (place.startsWith(keyMark)) text += withKeys ? `.${place.slice(1)}` : '';
    else text += `${text === '' ? '' : '.'}${withKeys ? place.slice(place.indexOf(inlineMark) + 1) : place.replace(inlineMark, '.')}`;
  }
  return text;
}

/** What does not fit is one more, and the walk goes on behind it; a type that reads itself ends it. */
export function gather(misfits: DecodeError[], walk: Walk, read: () => unknown): void {
  const [depth, path] = [walk.depth, walk.path.length];
  try {
    read();
  } catch (error) {
    if (!(error instanceof DecodeError) || breaksOff(error)) throw error;
    misfits.push(error);
    walk.depth = depth;
    walk.path.length = path;
  }
}
