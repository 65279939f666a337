/**
 * What extenders answer, read as Go's decoder reads it into the types of kube-scheduler's extender/v1: names of fields in whatever case,
 * unknown ones passed over, wrong types refused.
 */
import type { Node } from '../../api/core/v1/types.gen.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';

/** The text is Go's. */
export class DecodeFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DecodeFault';
  }
}

export interface FilterResult {
  readonly nodes: readonly Node[] | undefined;
  readonly nodeNames: readonly string[] | undefined;
  readonly failed: ReadonlyMap<string, string>;
  readonly failedAndUnresolvable: ReadonlyMap<string, string>;
  readonly error: string;
}

export interface MetaVictims {
  readonly uids: readonly string[];
  readonly pdbViolations: number;
}

const filterType = 'ExtenderFilterResult';

export function readFiltered(result: JsonValue): FilterResult {
  const fields = objectOf(result, 'v1.ExtenderFilterResult');
  const nodes = member(fields, 'Nodes') ?? null;
  const names = member(fields, 'NodeNames') ?? null;
  const at = (name: string): string => `Go struct field ${filterType}.${name}`;
  return {
    nodes: nodes === null ? undefined : nodesOf(objectOf(nodes, 'v1.NodeList', at('Nodes')), at('Nodes.items')),
    nodeNames: names === null ? undefined : texts(names, at('NodeNames')),
    failed: textMap(member(fields, 'FailedNodes'), at('FailedNodes')),
    failedAndUnresolvable: textMap(member(fields, 'FailedAndUnresolvableNodes'), at('FailedAndUnresolvableNodes')),
    error: textOf(member(fields, 'Error') ?? '', at('Error')),
  };
}

function nodesOf(list: JsonObject, where: string): readonly Node[] {
  return listOf(member(list, 'items') ?? [], '[]v1.Node', where).map((node) => {
    const { metadata, ...rest } = objectOf(node, 'v1.Node', where);
    return { kind: 'Node', apiVersion: 'v1', ...rest, metadata: objectOf(metadata ?? {}, 'v1.ObjectMeta', where) };
  });
}

export function readScores(result: JsonValue): readonly { readonly host: string; readonly score: number }[] {
  return listOf(result ?? [], 'v1.HostPriorityList').map((entry) => {
    const fields = objectOf(entry, 'v1.HostPriority');
    return {
      host: textOf(member(fields, 'Host') ?? '', 'Go struct field HostPriority.Host'),
      score: integerOf(member(fields, 'Score') ?? 0, 'Go struct field HostPriority.Score'),
    };
  });
}

export function readVictims(result: JsonValue): ReadonlyMap<string, MetaVictims> {
  const fields = objectOf(result, 'v1.ExtenderPreemptionResult');
  const at = 'Go struct field ExtenderPreemptionResult.NodeNameToMetaVictims';
  const nodes = objectOf(member(fields, 'NodeNameToMetaVictims') ?? {}, 'map[string]*v1.MetaVictims', at);
  return new Map(
    Object.entries(nodes).map(([node, victims]) => {
      const own = objectOf(victims ?? {}, 'v1.MetaVictims', at);
      const uids = listOf(member(own, 'Pods') ?? [], '[]*v1.MetaPod', at).map((pod) =>
        textOf(member(objectOf(pod, 'v1.MetaPod', at), 'UID') ?? '', 'Go struct field MetaPod.UID'),
      );
      return [
        node,
        { uids, pdbViolations: integerOf(member(own, 'NumPDBViolations') ?? 0, 'Go struct field MetaVictims.NumPDBViolations') },
      ] as const;
    }),
  );
}

/** What the extender says went wrong with a binding. */
export function readError(result: JsonValue): string {
  return textOf(member(objectOf(result, 'v1.ExtenderBindingResult'), 'Error') ?? '', 'Go struct field ExtenderBindingResult.Error');
}

/** A member by its very name. */
export function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  return isObject(value) ? Object.entries(value).find(([own]) => own === name)?.[1] : undefined;
}

function member(fields: JsonObject, name: string): JsonValue | undefined {
  const lower = name.toLowerCase();
  return Object.entries(fields).findLast(([own]) => own.toLowerCase() === lower)?.[1];
}

function refuse(value: JsonValue, type: string, where?: string): never {
  const given = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  const shown = typeof value === 'number' && type === 'int64' ? `number ${value}` : given;
  throw new DecodeFault(`json: cannot unmarshal ${shown} into Go ${where === undefined ? 'value' : where.replace(/^Go /, '')} of type ${type}`);
}

function objectOf(value: JsonValue, type: string, where?: string): JsonObject {
  if (value === null) return {};
  return isObject(value) ? value : refuse(value, type, where);
}

function listOf(value: JsonValue, type: string, where?: string): readonly JsonValue[] {
  if (value === null) return [];
  return Array.isArray(value) ? (value as readonly JsonValue[]) : refuse(value, type, where);
}

function textOf(value: JsonValue, where: string): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : refuse(value, 'string', where);
}

function integerOf(value: JsonValue, where: string): number {
  if (value === null) return 0;
  return Number.isInteger(value) ? (value as number) : refuse(value, 'int64', where);
}

function texts(value: JsonValue | undefined, where: string): readonly string[] {
  return listOf(value ?? [], '[]string', where).map((entry) => textOf(entry, where));
}

function textMap(value: JsonValue | undefined, where: string): ReadonlyMap<string, string> {
  const entries = Object.entries(objectOf(value ?? {}, 'v1.FailedNodesMap', where));
  return new Map(entries.map(([node, message]) => [node, textOf(message, where)]));
}
