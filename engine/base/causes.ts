/**
 * Why something was done, as short text (law 4). A cause names a write by its revision, a timer by component and name, an input
 * from outside by its number, or a silence: the absence of a sign of life that made somebody act. `history/` follows causes back.
 */
export type Cause = string;

/** Causes that are kept by the thousand: a write stands as its revision, and a single cause without a list. */
export type Causes = PackedCause | readonly PackedCause[];
type PackedCause = Cause | number;

export function packCauses(causes: readonly Cause[]): Causes {
  return causes.length === 1 ? packed(causes[0] as Cause) : causes.map(packed);
}

export function causesOf(causes: Causes): readonly Cause[] {
  return Array.isArray(causes) ? (causes as readonly PackedCause[]).map(unpacked) : [unpacked(causes as PackedCause)];
}

function packed(cause: Cause): PackedCause {
  if (!cause.startsWith('rev:')) return cause;
  const revision = Number(cause.slice(4));
  // What somebody else wrote in another way stays as it is.
  return Number.isSafeInteger(revision) && writeCause(revision) === cause ? revision : cause;
}

function unpacked(cause: PackedCause): Cause {
  return typeof cause === 'number' ? writeCause(cause) : cause;
}

export function writeCause(revision: number): Cause {
  return `rev:${revision}`;
}

export function timerCause(component: string, name: string): Cause {
  return `timer:${component}/${name}`;
}

export function inputCause(input: number): Cause {
  return `input:${input}`;
}

/** Nothing was heard of a node; history looks for the fault that silenced it. */
export function silenceCause(node: string): Cause {
  return `silence:${node}`;
}

export type ParsedCause =
  | { readonly type: 'write'; readonly revision: number }
  | { readonly type: 'timer'; readonly component: string; readonly name: string }
  | { readonly type: 'input'; readonly input: number }
  | { readonly type: 'silence'; readonly node: string }
  | { readonly type: 'other'; readonly text: string };

export function parseCause(cause: Cause): ParsedCause {
  const colon = cause.indexOf(':');
  const rest = cause.slice(colon + 1);
  switch (cause.slice(0, colon)) {
    case 'rev':
      return { type: 'write', revision: Number(rest) };
    case 'input':
      return { type: 'input', input: Number(rest) };
    case 'silence':
      return { type: 'silence', node: rest };
    case 'timer': {
      const slash = rest.indexOf('/');
      return { type: 'timer', component: rest.slice(0, slash), name: rest.slice(slash + 1) };
    }
    default:
      return { type: 'other', text: cause };
  }
}

/** Causes kept when several changes meet in one queue key: the first, and the latest seven. */
const causesMax = 8;

export function mergeCauses(first: readonly Cause[], second: readonly Cause[]): readonly Cause[] {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  const merged = first.concat(second.filter((cause, index) => !first.includes(cause) && second.indexOf(cause) === index));
  if (merged.length <= causesMax) return merged;
  return [merged[0] as Cause, ...merged.slice(merged.length - causesMax + 1)];
}
