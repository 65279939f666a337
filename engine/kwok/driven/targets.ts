/** Which object of KWOK speaks for a pod: the one of its name, else the first cluster-wide one that selects it. Mirrors pkg/kwok/server of sigs.k8s.io/kwok. */
import type { KwokItem, KwokSelector, KwokTarget } from '../../api/kwok/v1alpha1/target.ts';

type Spec = NonNullable<KwokTarget['spec']>;

/** By namespace and name. */
export type OwnTargets = ReadonlyMap<string, KwokTarget>;

export function ownTargets(objects: readonly KwokTarget[]): OwnTargets {
  return new Map(objects.map((object) => [`${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`, object] as const));
}

/** Undefined where nothing is said; `named` where the pod's own object leaves this out. */
export function itemFor<T>(
  own: OwnTargets,
  wide: readonly KwokTarget[],
  namespace: string,
  pod: string,
  find: (spec: Spec) => T | undefined,
): T | 'named' | undefined {
  const named = own.get(`${namespace}/${pod}`);
  if (named !== undefined) return find(named.spec ?? {}) ?? 'named';
  for (const { spec = {} } of wide) {
    const found = selects(spec.selector, namespace, pod) ? find(spec) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function selects({ matchNamespaces = [], matchNames = [] }: KwokSelector = {}, namespace: string, name: string): boolean {
  const isAmong = (wanted: readonly string[], text: string): boolean => wanted.length === 0 || wanted.includes(text);
  return isAmong(matchNamespaces, namespace) && isAmong(matchNames, name);
}

/** The item that names the container, else the first that names none. */
export function itemOfContainer<T extends KwokItem>(items: readonly T[] = [], container: string): T | undefined {
  return items.find(({ containers = [] }) => containers.includes(container)) ?? items.find(({ containers = [] }) => containers.length === 0);
}
