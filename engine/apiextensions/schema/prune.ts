/**
 * Leaves out what a schema does not name. Metadata, apiVersion and kind of a resource stay, at the root and in embedded ones.
 * Mirrors pkg/apiserver/schema/pruning of apiextensions-apiserver.
 */
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { rewriteItems, rewriteMembers } from './rewrite.ts';
import type { Structural } from './structural.ts';

export interface PruneOptions {
  /** The value is a whole resource: its metadata, apiVersion and kind stay, whatever the schema says. */
  readonly isResourceRoot: boolean;
}

export interface Pruned {
  readonly value: JsonValue;
  /** Paths such as `spec.containers[0].foo`, in byte order. */
  readonly unknownFields: readonly string[];
}

/** Characters of all paths together; a client that sends more hears of the first. */
const namedMax = 1 << 20;

const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Where the walk is; undefined where nobody wants to know. */
interface Place {
  readonly above: Place | undefined;
  readonly step: string | number;
}

interface Walk {
  readonly names: string[];
  named: number;
}

/** Without a schema nothing but lists and scalars is kept. What is left whole is the same value. */
export function prune(value: JsonValue, structural: Structural | undefined, { isResourceRoot }: PruneOptions): JsonValue {
  return pruneAny(value, structural, isResourceRoot, undefined, undefined);
}

/** The same, and the names of what was left out. */
export function pruneNaming(value: JsonValue, structural: Structural | undefined, { isResourceRoot }: PruneOptions): Pruned {
  const walk: Walk = { names: [], named: 0 };
  const pruned = pruneAny(value, structural, isResourceRoot, walk, undefined);
  return { value: pruned, unknownFields: walk.names.sort((a, b) => (a < b ? -1 : Number(a > b))) };
}

function pruneAny(value: JsonValue, s: Structural | undefined, isRoot: boolean, walk: Walk | undefined, at: Place | undefined): JsonValue {
  if (s?.preserveUnknownFields) return keep(value, s, isRoot, walk, at);
  if (isObject(value)) return pruneObject(value, s, isRoot, walk, at);
  if (!isList(value)) return value;
  return rewriteItems(value, (item, index) => pruneAny(item, s?.items, false, walk, walk && { above: at, step: index }));
}

function pruneObject(value: JsonObject, s: Structural | undefined, isRoot: boolean, walk: Walk | undefined, at: Place | undefined): JsonObject {
  const isResource = isRoot || s?.embeddedResource === true;
  return rewriteMembers(value, (key, member) => {
    if (isResource && metaFields.has(key)) return member;
    const below = s && schemaBelow(s, key);
    if (below === undefined) {
      // The metadata of the root is judged elsewhere.
      if (walk && (s === undefined || at !== undefined || !metaFields.has(key))) record(walk, { above: at, step: key });
      return undefined;
    }
    return pruneAny(member, below.schema, false, walk, walk && { above: at, step: key });
  });
}

/** Undefined where the key has no place; a place without a schema where any value of it is taken and emptied. */
function schemaBelow(s: Structural, key: string): { readonly schema: Structural | undefined } | undefined {
  const property = s.properties.get(key);
  if (property !== undefined) return { schema: property };
  if (s.additionalProperties === undefined) return undefined;
  return { schema: typeof s.additionalProperties === 'object' ? s.additionalProperties : undefined };
}

/** What the schema does not name stays; what it names is pruned by what it says. */
function keep(value: JsonValue, s: Structural, isRoot: boolean, walk: Walk | undefined, at: Place | undefined): JsonValue {
  if (isObject(value)) {
    const isResource = isRoot || s.embeddedResource;
    if (s.properties.size === 0 && s.additionalProperties === undefined) return value;
    return rewriteMembers(value, (key, member) => {
      const below = isResource && metaFields.has(key) ? undefined : schemaBelow(s, key);
      return below === undefined ? member : pruneAny(member, below.schema, false, walk, walk && { above: at, step: key });
    });
  }
  const { items } = s;
  if (!isList(value) || items === undefined) return value;
  return rewriteItems(value, (item, index) => keep(item, items, false, walk, walk && { above: at, step: index }));
}

function record(walk: Walk, place: Place): void {
  if (walk.named >= namedMax) return;
  const name = nameOf(place);
  walk.named += name.length;
  walk.names.push(name);
}

function nameOf(place: Place): string {
  const steps: (string | number)[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.above) steps.push(at.step);
  let name = '';
  for (const step of steps.reverse()) {
    if (typeof step === 'number') name += `[${step}]`;
    else name += name === '' ? step : `.${step}`;
  }
  return name;
}
