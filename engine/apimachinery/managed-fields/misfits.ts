/** Why an object of a user's own kind cannot be seen as its schema has it. Mirrors the errors of structuredMergeManager. */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { newStatusError } from '../errors.ts';
import { type KubeObject, parseGroupVersion } from '../object.ts';
import type { StatusError } from '../status.ts';
import { faultsText } from './validate.ts';

/** `isFirst`: nobody owned anything yet, and all that is there was to be somebody's. */
export function misfitOfStored(live: KubeObject, isFirst: boolean, faults: readonly string[]): StatusError {
  const { namespace = '', name = '' } = live.metadata;
  const named = `(${namespace}/${name}; ${formatKind(live as unknown as JsonObject)})`;
  const what = isFirst
    ? `create manager for existing fields: failed to convert new object ${named} to smd typed`
    : `create typed live object ${named}`;
  return newStatusError(500, '', `failed to ${what}: ${faultsText(faults)}`);
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function formatKind(patch: JsonObject): string {
  const gv = parseGroupVersion(textOf(patch['apiVersion']));
  return `${gv?.group ?? ''}/${gv?.version ?? ''}, Kind=${textOf(patch['kind'])}`;
}
