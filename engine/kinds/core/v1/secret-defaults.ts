/** Secrets: the type, and `stringData`, which only writes `data`. Mirrors SetDefaults_Secret and the v1 conversion of secrets. */
import { encodeBase64 } from '../../../base/base64.ts';
import type { Secret } from '../../../api/core/v1/types.gen.ts';

export function defaultSecret(object: Secret): Secret {
  const typed = object.type ? object : { ...object, type: 'Opaque' };
  if (!typed.stringData) return typed;
  const { stringData, ...rest } = typed;
  const written = Object.entries(stringData).map(([key, value]) => [key, encodeBase64(new TextEncoder().encode(value))]);
  if (written.length === 0) return rest;
  const data = Object.entries({ ...rest.data, ...Object.fromEntries(written) } as { [key: string]: string });
  return { ...rest, data: Object.fromEntries(data.sort(([a], [b]) => (a < b ? -1 : 1))) };
}
