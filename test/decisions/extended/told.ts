/** A pod and the claim that was made for it, as a fact tells of them. */
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { ResourceClaim } from '../../../engine/api/resource/v1/types.gen.ts';
import type { ExtendedFact } from './draw.ts';

export function told(pod: Pod, claims: readonly ResourceClaim[], scores: ExtendedFact['scores']): ExtendedFact {
  const name = pod.metadata.name ?? '';
  const failed = pod.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  if (pod.spec?.nodeName === undefined) return { pod: name, message: failed?.message ?? 'not tried' };
  const { requestMappings, resourceClaimName } = pod.status?.extendedResourceClaimStatus ?? {};
  const claim = claims.find(({ metadata }) => metadata.name === resourceClaimName);
  const mappings = requestMappings?.map((one) => `${one.containerName}/${one.resourceName}=${one.requestName}`);
  const requests = claim?.spec.devices.requests?.map((one) => `${one.name}: ${one.exactly?.count} of ${one.exactly?.deviceClassName}`);
  const results = claim?.status?.allocation?.devices?.results?.map((one) => `${one.request}=${one.pool}/${one.device}`);
  return {
    pod: name,
    node: pod.spec.nodeName,
    ...(scores === undefined ? {} : { scores }),
    ...(mappings === undefined ? {} : { mappings }),
    ...(requests === undefined ? {} : { requests: [`${claim?.metadata.generateName} ${JSON.stringify(claim?.metadata.annotations)}`, ...requests] }),
    ...(results === undefined ? {} : { devices: results }),
  };
}
