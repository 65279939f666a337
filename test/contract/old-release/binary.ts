/** Objects of every kind of release 1.13, sent in JSON and answered in protobuf. */
import type { JsonObject } from '../../../engine/base/json.ts';
import { readBases } from '../../differential/bases.ts';
import { collectionOf, named } from '../../differential/draw.ts';

export interface BinaryCase {
  readonly id: string;
  /** Of a dry run. */
  readonly path: string;
  readonly body: JsonObject;
}

export const protobuf = 'application/vnd.kubernetes.protobuf';
/** Who has everything served, and no account to wait for. */
export const options = { 'runtime-config': 'api/all=true', 'disable-admission-plugins': 'ServiceAccount' };

/** Of kinds of which `served` has the names, as `apps/v1 deployments`. */
export function binaryCases(served: ReadonlySet<string>): readonly BinaryCase[] {
  return readBases('own', served, () => undefined).map((base) => ({
    id: base.id,
    path: `${collectionOf({ ...base, namespace: base.namespace && 'default' })}?dryRun=All`,
    body: named(base, 'create'),
  }));
}

/** As JSON's text of bytes, without what a server draws: uids and instants. */
export function undrawn(bytes: Uint8Array): string {
  return JSON.stringify(Buffer.from(bytes).toString('latin1'))
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replace(/\\b[\x80-\xff]{4}\\u000\d\\u0010\\u0000/g, '<time>');
}
