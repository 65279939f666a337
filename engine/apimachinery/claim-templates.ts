/** Claims that a stateful set makes. */
import type { KubeObject } from './object.ts';

type ClaimOwner = KubeObject & { readonly spec?: { readonly volumeClaimTemplates?: readonly Partial<KubeObject>[] } };

/** Once they did not say what they are, whatever was sent. */
export function withoutClaimKinds<T extends KubeObject>(object: T): T {
  const { spec } = object as ClaimOwner;
  const templates = spec?.volumeClaimTemplates ?? [];
  if (!templates.some(({ kind, apiVersion }) => kind !== undefined || apiVersion !== undefined)) return object;
  const volumeClaimTemplates = templates.map(({ kind: _kind, apiVersion: _version, ...rest }) => rest);
  return { ...object, spec: { ...spec, volumeClaimTemplates } };
}
