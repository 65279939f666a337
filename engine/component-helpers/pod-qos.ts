/** Quality of service of a pod. Mirrors pkg/apis/core/v1/helper/qos. */
import type { Pod } from '../api/core/v1/types.gen.ts';
import { unitAmount, milliAmount } from './quantity-amount.ts';

type ResourceList = { readonly [name: string]: string };
interface Asked {
  readonly requests?: ResourceList;
  readonly limits?: ResourceList;
}

const counted = ['cpu', 'memory'] as const;

function amount(name: (typeof counted)[number], list: ResourceList | undefined): number {
  const text = list?.[name];
  return text === undefined ? 0 : name === 'cpu' ? milliAmount(text) : unitAmount(text);
}

/** `countsInit`: containers that end before others begin count too. */
export function podQosClass(pod: Pod, countsInit = true): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const own = pod.spec?.resources;
  if (own) return classOf([own]);
  const containers = [...(pod.spec?.containers ?? []), ...(countsInit ? (pod.spec?.initContainers ?? []) : [])];
  return classOf(containers.map((container) => container.resources ?? {}));
}

/** Guaranteed when all are limited in both resources and ask in sum what they may use. */
function classOf(all: readonly Asked[]): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  let any = false;
  let guaranteed = true;
  for (const name of counted) {
    let requests = 0;
    let limits = 0;
    for (const asked of all) {
      const limit = amount(name, asked.limits);
      requests += amount(name, asked.requests);
      limits += limit;
      if (limit === 0) guaranteed = false;
    }
    if (requests > 0 || limits > 0) any = true;
    if (requests !== limits && requests !== 0) guaranteed = false;
    if (requests === 0 && limits > 0) guaranteed = false;
  }
  if (!any) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
