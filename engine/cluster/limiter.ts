/** Who of the outside may come in at the same time: priority and fairness, or plain limits where it is off or the release has none. */
import type { FlowSchema, PriorityLevelConfiguration } from '../api/flowcontrol/v1/types.gen.ts';
import { MaxInFlight } from '../apiserver/flowcontrol/max-in-flight.ts';
import { PriorityAndFairness } from '../apiserver/flowcontrol/priority-and-fairness.ts';
import type { RequestLimiter } from '../apiserver/flowcontrol/seats.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Release } from '../contracts/release.ts';
import { FeatureGates } from '../releases/feature-gates.ts';
import { storedUnder } from '../registry/core.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { Store } from '../store/store.ts';
import type { ClusterHost } from './cluster-host.ts';
import { ObjectSizes } from './object-sizes.ts';
import type { Settings } from './settings.ts';

export interface LimiterOptions {
  readonly release: Release;
  readonly settings: Settings;
  readonly store: Store<KubeObject>;
  readonly registry: ResourceRegistry;
  readonly host: Pick<ClusterHost, 'wallMs' | 'after' | 'hash'>;
}

const prefixes = ['flowschemas', 'prioritylevelconfigurations'] as const;

export interface Limiter {
  readonly limiter: RequestLimiter;
  /** Stored objects were replaced behind the watches' back. */
  reload(): void;
}

export function createLimiter({ release, settings, store, registry, host }: LimiterOptions): Limiter {
  const reading = settings.number('max-requests-inflight');
  const mutating = settings.number('max-mutating-requests-inflight');
  if (release.suggestedFlowControl === undefined || !settings.boolean('enable-priority-and-fairness'))
    return { limiter: new MaxInFlight({ reading, mutating }), reload: () => undefined };
  let generation = 0;
  for (const prefix of prefixes) store.watch({ prefix: `/registry/${prefix}/`, onChanges: () => void generation++ });
  const gates = new FeatureGates(release.featureGates, settings.text('feature-gates'));
  const sizes = new ObjectSizes(registry, () => host.wallMs());
  const limiter = new PriorityAndFairness({
    source: {
      generation: () => generation,
      schemas: () => storedUnder(store, prefixes[0]) as unknown as readonly FlowSchema[],
      levels: () => storedUnder(store, prefixes[1]) as unknown as readonly PriorityLevelConfiguration[],
    },
    serverSeats: reading + mutating,
    host: {
      nowMs: () => host.wallMs(),
      after: host.after === undefined ? undefined : (delayMs, call) => host.after?.(delayMs, call) ?? ((): void => undefined),
      hash: (text) => host.hash(text),
    },
    work: {
      statsOf: (group, resource) => sizes.statsOf(group, resource),
      bySize: gates.enabled('SizeBasedListCostEstimate'),
      watchesAreLists: gates.enabled('WatchList'),
    },
  });
  return { limiter, reload: () => void generation++ };
}
