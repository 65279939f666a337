/** The resource of a kind that a scenario names. */
import { knownKinds } from '../api/kinds.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { formatGroupVersion } from '../apimachinery/object.ts';
import type { ResourceType } from '../client/client.ts';
import { resourceType } from '../client/resources.ts';

const simulation: readonly ResourceType[] = [
  resourceType('sim.wavetank.dev', 'v1alpha1', 'faults', 'Fault', false),
  resourceType('sim.wavetank.dev', 'v1alpha1', 'imageprofiles', 'ImageProfile', false),
  resourceType('sim.wavetank.dev', 'v1alpha1', 'nodepools', 'NodePool', false),
];

export class UnknownKindError extends Error {
  constructor(apiVersion: string, kind: string) {
    super(`no resource is known for ${apiVersion} ${kind}`);
    this.name = 'UnknownKindError';
  }
}

export function resourceTypeOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): ResourceType {
  const known = knownKinds.find((one) => one.kind === kind && formatGroupVersion(one) === apiVersion);
  if (known !== undefined) return resourceType(known.group, known.version, known.plural, known.kind, known.namespaced);
  const own = simulation.find((one) => one.kind === kind && formatGroupVersion(one) === apiVersion);
  if (own === undefined) throw new UnknownKindError(apiVersion, kind);
  return own;
}
