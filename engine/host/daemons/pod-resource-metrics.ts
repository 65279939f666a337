/** What pods ask of their nodes, as `/metrics/resources` of a scheduler that leads tells it. Mirrors pkg/scheduler/metrics/resources. */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { Sample } from '../../apiserver/metrics-text.ts';
import { podLimits, podRequests, type ResourceAmounts } from '../../component-helpers/resources.ts';
import type { Metric } from './routes.ts';

const units: ReadonlyMap<string, string> = new Map([
  ['cpu', 'cores'],
  ['memory', 'bytes'],
  ['storage', 'bytes'],
  ['ephemeral-storage', 'bytes'],
]);
const what = (asked: string): string =>
  `[STABLE] ${asked} on the cluster, broken down by pod. This shows the resource usage the scheduler and kubelet expect per pod for resources along with the unit for the resource if any.`;

/** Pods that have ended are not seen by a scheduler. A family without samples is absent. */
export function podResourceMetrics(pods: readonly Pod[]): readonly Metric[] {
  const counted = pods.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed');
  const family = (name: string, asked: string, amountsOf: (pod: Pod) => ResourceAmounts): Metric => ({
    name,
    type: 'gauge',
    help: what(asked),
    samples: counted.flatMap((pod) => samplesOf(pod, amountsOf(pod))),
  });
  const families = [
    family('kube_pod_resource_limit', 'Resources limit for workloads', (pod) => podLimits(pod)),
    family('kube_pod_resource_request', 'Resources requested by workloads', (pod) => podRequests(pod)),
  ];
  return families.filter(({ samples }) => samples.length > 0);
}

function samplesOf({ metadata, spec }: Pod, amounts: ResourceAmounts): readonly Sample[] {
  const { namespace = '', name: pod = '' } = metadata;
  const priority = spec?.priority === undefined ? '' : String(spec.priority);
  return Object.entries(amounts)
    .filter(([, amount]) => amount !== 0)
    .map(([resource, amount]) => [
      { namespace, node: spec?.nodeName ?? '', pod, priority, resource, scheduler: spec?.schedulerName ?? '', unit: unitOf(resource) },
      resource === 'cpu' ? amount / 1000 : amount,
    ]);
}

function unitOf(resource: string): string {
  if (resource.startsWith('hugepages-')) return 'bytes';
  return resource.startsWith('attachable-volumes-') ? 'integer' : (units.get(resource) ?? '');
}
