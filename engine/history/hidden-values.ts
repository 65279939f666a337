/** Values that nobody sees who may only see history: what Secrets hold, and the copy of it that `kubectl apply` keeps in an annotation. */
import type { KubeObject } from '../apimachinery/object.ts';

/** Paths whose values, and those beneath them, are told without what they are. */
export type HiddenPaths = readonly string[];

/** Stands where a value does not. */
export const hiddenText = '(hidden)';
const nothing: HiddenPaths = [];
const ofSecrets: HiddenPaths = ['data', 'stringData', 'metadata.annotations'];

export function hiddenPaths({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): HiddenPaths {
  return apiVersion === 'v1' && kind === 'Secret' ? ofSecrets : nothing;
}

export function isHidden(path: string, hidden: HiddenPaths): boolean {
  return hidden.some((one) => path === one || (path.startsWith(one) && /^[.[]/.test(path.slice(one.length))));
}
