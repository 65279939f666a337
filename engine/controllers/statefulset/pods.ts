/** What a StatefulSet does with its pods and their claims, with the events it tells. Mirrors stateful_pod_control.go of pkg/controller/statefulset. */
import type { StatefulSet } from '../../api/apps/v1/types.gen.ts';
import type { PersistentVolumeClaim, Pod } from '../../api/core/v1/types.gen.ts';
import { isAlreadyExists, isNotFound } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Informer } from '../../client/informer.ts';
import { persistentVolumeClaims, pods } from '../../client/resources.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import type { ControllerEnvironment } from '../controller.ts';
import type { CanonicalForm } from '../lib/canonical-form.ts';
import type { WrittenVersions } from '../lib/written-versions.ts';
import { hasForeignController, isClaimSettled, isStaleFor, retentionPolicyOf, withOwners } from './claims.ts';
import { claimsOf, hasIdentity, hasStorage, ordinalOf, withIdentity, withStorage } from './identity.ts';

type Verb = 'Create' | 'Update' | 'Delete';

export interface StatefulPodsOptions {
  readonly environment: ControllerEnvironment;
  readonly context: ReconcileContext;
  readonly written: WrittenVersions;
  readonly form: CanonicalForm;
  readonly key: string;
  readonly set: StatefulSet;
}

/** Each call throws what the API server refused, after an event. */
export class StatefulPods {
  readonly #options: StatefulPodsOptions;
  readonly #set: StatefulSet;
  readonly #claims: Informer<PersistentVolumeClaim>;

  constructor(options: StatefulPodsOptions) {
    this.#options = options;
    this.#set = options.set;
    this.#claims = options.environment.informer(persistentVolumeClaims);
  }

  /** Makes the pod after its claims. A pod of that name that the cache has not shown yet is refused without a word. */
  async create(pod: Pod): Promise<void> {
    await this.#telling('Create', pod, () => this.#createClaims(pod));
    let refusal: StatusError | undefined;
    try {
      const { client } = this.#options.context;
      this.#wrote(pods, await client.create(pods, this.#options.form.pod(pod)));
    } catch (error) {
      if (!(error instanceof StatusError) || isAlreadyExists(error)) throw error;
      refusal = error;
    }
    await this.#telling('Update', pod, () => this.#settleClaims(pod));
    this.#tell('Create', pod, refusal);
    if (refusal !== undefined) throw refusal;
  }

  async delete(pod: Pod): Promise<void> {
    const { namespace, name = '' } = pod.metadata;
    await this.#telling('Delete', pod, async () => {
      try {
        await this.#options.context.client.delete(pods, namespace, name);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    });
    this.#tell('Delete', pod);
  }

  /** Puts identity, volumes and owners of claims right, where they are not. */
  async update(pod: Pod): Promise<void> {
    const set = this.#set;
    const ordinal = ordinalOf(pod) ?? 0;
    let wanted = pod;
    if (!hasIdentity(set, pod)) wanted = withIdentity(set, wanted, ordinal, this.#options.environment.options.traits.labelsOrdinals);
    if (!hasStorage(set, pod, ordinal)) {
      wanted = withStorage(set, wanted, ordinal);
      await this.#telling('Update', pod, () => this.#createClaims(wanted));
    }
    const isSettled = this.areClaimsSettled(wanted);
    if (!isSettled) await this.#telling('Update', pod, () => this.#settleClaims(wanted));
    if (isSettled && wanted === pod) return;
    const updated = wanted === pod ? pod : this.#options.form.pod(wanted);
    await this.#telling('Update', pod, async () => this.#wrote(pods, await this.#options.context.client.update(pods, updated)));
    this.#tell('Update', pod);
  }

  /** Makes the claims of a pod that waits for them, and settles whose they are. */
  async createMissingClaims(pod: Pod): Promise<void> {
    await this.#createClaims(pod);
    await this.#telling('Update', pod, () => this.#settleClaims(pod));
  }

  /** Settles whose the claims are, without an event. */
  async fixClaims(pod: Pod): Promise<void> {
    if (!this.areClaimsSettled(pod)) await this.#settleClaims(pod);
  }

  areClaimsSettled(pod: Pod): boolean {
    return this.#existing(pod).every((claim) => isClaimSettled(claim, this.#set, pod));
  }

  /** A claim that goes with an earlier pod of this name has to be gone first. */
  hasStaleClaim(pod: Pod): boolean {
    return retentionPolicyOf(this.#set).whenScaled && this.#existing(pod).some((claim) => isStaleFor(claim, pod));
  }

  #existing(pod: Pod): readonly PersistentVolumeClaim[] {
    const claims = claimsOf(this.#set, ordinalOf(pod) ?? 0);
    return claims.flatMap(({ metadata }) => this.#claims.get(metadata.namespace, metadata.name ?? '') ?? []);
  }

  async #createClaims(pod: Pod): Promise<void> {
    const failures: string[] = [];
    for (const claim of claimsOf(this.#set, ordinalOf(pod) ?? 0)) {
      const { namespace, name = '' } = claim.metadata;
      const existing = this.#claims.get(namespace, name);
      if (existing === undefined) {
        const refusal = await this.#createClaim(pod, claim);
        if (refusal !== undefined) failures.push(`failed to create PVC ${name}: ${refusal.message}`);
      } else if (existing.metadata.deletionTimestamp !== undefined) failures.push(`pvc ${name} is being deleted`);
    }
    if (failures.length > 0) throw new RetryError(failures.length === 1 ? (failures[0] ?? '') : `[${failures.join(', ')}]`);
  }

  async #createClaim(pod: Pod, claim: PersistentVolumeClaim): Promise<StatusError | undefined> {
    const names = `${pod.metadata.name} in StatefulSet ${this.#set.metadata.name}`;
    try {
      this.#wrote(persistentVolumeClaims, await this.#options.context.client.create(persistentVolumeClaims, asClaim(claim)));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const message = `${this.#deed('Create')} Claim ${claim.metadata.name} for Pod ${names} failed error: ${error.message}`;
      if (!isAlreadyExists(error)) this.#event('Warning', 'FailedCreate', message);
      return error;
    }
    this.#event('Normal', 'SuccessfulCreate', `${this.#deed('Create')} Claim ${claim.metadata.name} Pod ${names} success`);
    return undefined;
  }

  async #settleClaims(pod: Pod): Promise<void> {
    for (const claim of this.#existing(pod)) {
      const { name } = claim.metadata;
      if (hasForeignController(claim, this.#set, pod)) {
        const message = `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
        this.#event('Warning', 'ConflictingController', message);
      }
      if (isClaimSettled(claim, this.#set, pod)) continue;
      try {
        const updated = await this.#options.context.client.update(persistentVolumeClaims, withOwners(claim, this.#set, pod));
        this.#wrote(persistentVolumeClaims, updated);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        throw new RetryError(`could not update claim ${name} for delete policy ownerRefs: ${error.message}`);
      }
    }
  }

  /** Tells of a failure and throws it on. */
  async #telling(verb: Verb, pod: Pod, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (error instanceof StatusError || error instanceof RetryError) this.#tell(verb, pod, error);
      throw error;
    }
  }

  #tell(verb: Verb, pod: Pod, refusal?: Error): void {
    const deed = `${this.#deed(verb)} Pod ${pod.metadata.name} in StatefulSet ${this.#set.metadata.name}`;
    if (refusal === undefined) this.#event('Normal', `Successful${verb}`, `${deed} successful`);
    else this.#event('Warning', `Failed${verb}`, `${deed} failed error: ${refusal.message}`);
  }

  #deed(verb: Verb): string {
    return this.#options.environment.options.traits.capitalizesDeeds ? verb : verb.toLowerCase();
  }

  /** Says why a pod that failed is made anew, where the release does. */
  tellFailed(pod: Pod): void {
    if (!this.#options.environment.options.traits.tellsFailedPods) return;
    const { namespace, name } = this.#set.metadata;
    this.#event('Warning', 'RecreatingFailedPod', `StatefulSet ${namespace}/${name} is recreating failed Pod ${pod.metadata.name}`);
  }

  #event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#options.environment.recorder.event(this.#set, type, reason, message, this.#options.context.causes);
  }

  #wrote(...[type, object]: Parameters<WrittenVersions['wrote']> extends [string, ...infer Rest] ? Rest : never): void {
    this.#options.written.wrote(this.#options.key, type, object);
  }
}

/** Templates of claims carry their kind only since some release. */
function asClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  return { ...claim, kind: 'PersistentVolumeClaim', apiVersion: 'v1' };
}
