/** Extenders of a KubeSchedulerConfiguration, with what a file left out. */
import type { JsonObject } from '../../base/json.ts';

export interface ManagedResource {
  readonly name: string;
  readonly ignoredByScheduler: boolean;
}

export interface ExtenderOptions {
  readonly urlPrefix: string;
  /** An empty verb is nothing that it is asked for; this and the next three. */
  readonly filterVerb: string;
  readonly preemptVerb: string;
  readonly prioritizeVerb: string;
  readonly bindVerb: string;
  readonly weight: number;
  readonly enableHttps: boolean;
  /** `insecure`, `serverName`, files (`certFile`, `keyFile`, `caFile`) and data in base64 (`certData`, `keyData`, `caData`). */
  readonly tls: JsonObject | undefined;
  readonly httpTimeoutMs: number;
  /** It knows all nodes: it is told and tells their names only. */
  readonly nodeCacheCapable: boolean;
  readonly managedResources: readonly ManagedResource[];
  /** Pods are placed without it where it does not answer. */
  readonly ignorable: boolean;
}

export const standardTimeoutMs = 5_000;

/** In the order in which they are asked: those that may be missing come last. */
export function inOrder(extenders: readonly ExtenderOptions[]): readonly ExtenderOptions[] {
  return [...extenders.filter(({ ignorable }) => !ignorable), ...extenders.filter(({ ignorable }) => ignorable)];
}

/** Resources that the scheduler leaves to extenders. */
export function ignoredResources(extenders: readonly ExtenderOptions[]): readonly string[] {
  return extenders.flatMap(({ managedResources }) => managedResources.filter((one) => one.ignoredByScheduler).map(({ name }) => name));
}
