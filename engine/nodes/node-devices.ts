/**
 * Devices of ResourceClaims on a node: before its sandbox a pod's claims are looked up, and a pod that no claim is reserved for does not
 * start. Mirrors PrepareResources of pkg/kubelet/cm/dra; a driver of that name is on every machine.
 */
import type { Pod, PodResourceClaim } from '../api/core/v1/types.gen.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { Slots } from '../base/slots.ts';
import type { Client } from '../client/client.ts';
import { resourceClaims } from '../client/resources.ts';
import { claimNameOf, isMadeFor, isReservedFor } from '../component-helpers/resource-claims.ts';
import { KeyedWorkers } from '../controller-runtime/keyed-workers.ts';
import { componentName, type NodesContext } from './context.ts';
import type { PodWorker } from './kubelet/worker.ts';
import { hearsApi, isHeard } from './machine.ts';

/** Timers of the queue of pods whose claims are looked up. */
export const deviceTimer = 'devices';

export interface DeviceHooks {
  /** Its claims are in order, or why they are not. */
  found(worker: PodWorker, fault: string | undefined): void;
}

export class NodeDevices {
  readonly #context: NodesContext;
  readonly #hooks: DeviceHooks;
  readonly #lookups: KeyedWorkers;

  constructor(context: NodesContext, hooks: DeviceHooks, slots: Slots) {
    this.#context = context;
    this.#hooks = hooks;
    this.#lookups = new KeyedWorkers({
      loop: context.loop,
      component: componentName,
      timer: deviceTimer,
      slots,
      work: (uid) => this.#lookUp(uid),
      describe: (uid) => `claims of pod ${uid}`,
    });
  }

  onTimer(key: string | null): void {
    this.#lookups.onTimer(key);
  }

  prepare({ uid, causes }: PodWorker): void {
    this.#lookups.queue.add(uid, causes);
  }

  async #lookUp(uid: string): Promise<void> {
    const worker = this.#context.workers.get(uid);
    const machine = this.#context.machines.get(worker?.node ?? '');
    if (worker === undefined || machine === undefined || !isHeard(machine) || !hearsApi(machine)) return;
    const client = this.#context.clientFor(worker.node).because(worker.causes);
    const fault = await this.#faultOf(worker.pod, client);
    if (this.#context.workers.get(uid) === worker && worker.stopping === null) this.#hooks.found(worker, fault);
  }

  async #faultOf(pod: Pod, client: Client): Promise<string | undefined> {
    for (const claim of claimsOf(pod)) {
      const fault = await faultOfClaim(pod, claim, client);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
}

/** The one that stands for extended resources is the last. */
function claimsOf({ spec, status }: Pod): readonly PodResourceClaim[] {
  const extended = status?.extendedResourceClaimStatus?.resourceClaimName;
  const own = spec?.resourceClaims ?? [];
  return extended === undefined ? own : [...own, { name: '', resourceClaimName: extended }];
}

async function faultOfClaim(pod: Pod, podClaim: PodResourceClaim, client: Client): Promise<string | undefined> {
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const found = claimNameOf(pod, podClaim);
  if (found === 'none') return undefined;
  if (found === 'unknown') return `pod "${namespace}/${name}": ResourceClaim not created yet`;
  try {
    const claim = await client.get(resourceClaims, namespace, found.name);
    if (found.isMade && !isMadeFor(claim, pod))
      return `ResourceClaim ${namespace}/${found.name} was not created for Pod ${namespace}/${name} (Pod is not owner)`;
    if (!isReservedFor(claim, pod)) return `pod ${name} (${uid}) is not allowed to use ResourceClaim ${found.name} (${claim.metadata.uid})`;
    return claim.status?.allocation === undefined ? `ResourceClaim ${found.name}: not allocated` : undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return `fetch ResourceClaim ${found.name}: ${error.message}`;
  }
}
