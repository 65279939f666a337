/** The claim that a template makes for a pod or a group of pods. */
import type { ResourceClaim, ResourceClaimTemplate } from '../../api/resource/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { Informer } from '../../client/informer.ts';
import { sortedMap } from '../../component-helpers/meta.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { generateNameOf, podClaimAnnotation } from '../lib/resource-claims.ts';

/** Throws RetryError, in upstream's words. */
export function mustFind(templates: Informer<ResourceClaimTemplate>, namespace: string, name: string): ResourceClaimTemplate {
  const template = templates.get(namespace, name);
  if (template === undefined) throw new RetryError(`resource claim template "${name}": resourceclaimtemplate.resource.k8s.io "${name}" not found`);
  return template;
}

/** Under what a claim is remembered that was made for a claim of a pod or group, by the uid of the latter. */
export function madeKey(owner: string, claim: string): string {
  return `${owner} ${claim}`;
}

export function claimFrom(
  { spec }: ResourceClaimTemplate,
  owner: Pick<KubeObject, 'kind' | 'apiVersion' | 'metadata'>,
  claim: string,
): ResourceClaim {
  const { namespace = '', name = '', uid = '' } = owner.metadata;
  const { labels, annotations } = spec.metadata ?? {};
  return {
    kind: 'ResourceClaim',
    apiVersion: 'resource.k8s.io/v1',
    metadata: {
      generateName: generateNameOf(name, claim),
      namespace,
      ...(labels === undefined ? {} : { labels }),
      annotations: sortedMap({ ...annotations, [podClaimAnnotation]: claim }),
      ownerReferences: [{ apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true }],
    },
    spec: spec.spec,
  };
}
