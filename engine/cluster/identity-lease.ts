/**
 * The lease in kube-system that says which API server runs, renewed every ten seconds, and the end of those whose servers have not renewed
 * theirs. Mirrors pkg/controlplane/apiserver/server.go, pkg/controlplane/controller/apiserverleasegc and component-helpers'
 * apimachinery/lease/controller.go.
 */
import type { Lease } from '../api/coordination/v1/types.gen.ts';
import { isConflict, isNotFound } from '../apimachinery/errors.ts';
import { formatMicroTime } from '../apimachinery/time.ts';
import { type Cause, timerCause } from '../base/causes.ts';
import { data, nullable, text } from '../base/codecs.ts';
import { uuidOf } from '../base/uuid.ts';
import type { Client } from '../client/client.ts';
import { leases } from '../client/resources.ts';
import { checkController, type Controller, type ControllerEnvironment, type ReconcileContext } from '../controller-runtime/controller.ts';

export interface IdentityLeaseOptions {
  /** Of the lease; see `serverName`. */
  readonly name: string;
  /** Where other API servers reach this one; undefined where they hand nothing on to each other. */
  readonly peerAddress: string | undefined;
}

/** What the machine of the control plane is called. */
const hostname = 'wavetank';
const serverKind = 'kube-apiserver';
const component = 'apiserver/identity-lease';
const namespace = 'kube-system';
const identityLabel = 'apiserver.kubernetes.io/identity';
const hostnameLabel = 'kubernetes.io/hostname';
const peerAnnotation = 'kubernetes.io/peer-advertise-address';
const leaseDurationSeconds = 3600;
const renewMs = 10_000;
const renewJitter = 0.04;
const collectMs = 3_600_000;
const renewKey = 'renew';
const collectKey = 'collect';
/** A conflict is tried again at once so many times. */
const triesMax = 5;

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** `hash`: SHA-256 as hex. What an API server is called follows from its machine alone. */
export function serverName(hash: (text: string) => string): string {
  const prefixed = (text: string): string => `\0${String.fromCharCode(text.length)}${text}`;
  const bits = [...hash(prefixed(hostname) + prefixed(serverKind)).slice(0, 32)].map((digit) =>
    Number.parseInt(digit, 16).toString(2).padStart(4, '0'),
  );
  const fives = bits.join('').padEnd(130, '0').match(/.{5}/g) ?? [];
  return `apiserver-${fives.map((five) => base32.charAt(Number.parseInt(five, 2))).join('')}`;
}

class IdentityLease implements Controller {
  readonly #environment: ControllerEnvironment<IdentityLeaseOptions>;
  #holder = '';
  /** As it was written last. */
  #lease: Lease | null = null;

  constructor(environment: ControllerEnvironment<IdentityLeaseOptions>) {
    this.#environment = environment;
    environment.slots.field(
      'holder',
      text,
      () => this.#holder,
      (holder) => (this.#holder = holder),
    );
    environment.slots.field(
      'lease',
      nullable(data<Lease>()),
      () => this.#lease,
      (lease) => (this.#lease = lease),
    );
  }

  start(): void {
    const { enqueue, options, random } = this.#environment;
    this.#holder = `${options.name}_${uuidOf(random.hex(32))}`;
    enqueue(renewKey, causeOf(renewKey));
    enqueue(collectKey, causeOf(collectKey));
  }

  async reconcile({ client }: ReconcileContext, key: string): Promise<void> {
    if (key === renewKey) await this.#renew(client);
    else await this.#collect(client);
    const delayMs = key === renewKey ? renewMs * (1 + renewJitter * this.#environment.random.next()) : collectMs;
    this.#environment.enqueueAfter(key, delayMs, causeOf(key));
  }

  async #renew(client: Client): Promise<void> {
    for (let tries = 0; tries < triesMax; tries++) {
      const known = this.#lease ?? (await getOrUndefined(client, this.#environment.options.name));
      // Whatever was wrong with it, it is read anew then.
      this.#lease = null;
      try {
        this.#lease = known === undefined ? await client.create(leases, this.#made()) : await client.update(leases, this.#renewed(known));
        return;
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    }
  }

  /** Of servers that are gone: who renews no more has no lease after an hour. */
  async #collect(client: Client): Promise<void> {
    const { items } = await client.list(leases, namespace, { labelSelector: `${identityLabel}=${serverKind}` });
    for (const lease of items)
      if (this.#isExpired(lease)) {
        try {
          await client.delete(leases, namespace, lease.metadata.name ?? '');
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
      }
  }

  #isExpired({ spec }: Lease): boolean {
    const { renewTime, leaseDurationSeconds: seconds } = spec ?? {};
    return renewTime === undefined || seconds === undefined || Date.parse(renewTime) + seconds * 1000 < this.#environment.nowMs();
  }

  #made(): Lease {
    const { name } = this.#environment.options;
    return this.#renewed({
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      metadata: { name, namespace },
      spec: { holderIdentity: this.#holder },
    } as unknown as Lease);
  }

  #renewed(lease: Lease): Lease {
    const renewTime = formatMicroTime(this.#environment.nowMs());
    return { ...lease, metadata: this.#marked(lease.metadata), spec: { ...lease.spec, leaseDurationSeconds, renewTime } };
  }

  /** The same metadata where it says so already: what is shared is not looked at again. */
  #marked(metadata: Lease['metadata']): Lease['metadata'] {
    const { peerAddress } = this.#environment.options;
    const labels = { [identityLabel]: serverKind, [hostnameLabel]: hostname };
    const annotations = peerAddress === undefined ? {} : { [peerAnnotation]: peerAddress };
    if (hasAll(metadata.labels, labels) && hasAll(metadata.annotations, annotations)) return metadata;
    return { ...metadata, labels: { ...metadata.labels, ...labels }, annotations: { ...metadata.annotations, ...annotations } };
  }
}

type Texts = Readonly<Record<string, string>>;

function hasAll(present: Texts | undefined, wanted: Texts): boolean {
  return Object.entries(wanted).every(([key, value]) => present?.[key] === value);
}

async function getOrUndefined(client: Client, name: string): Promise<Lease | undefined> {
  try {
    return await client.get(leases, namespace, name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return undefined;
  }
}

function causeOf(key: string): readonly Cause[] {
  return [timerCause(component, key)];
}

export const identityLease = checkController<IdentityLease, IdentityLeaseOptions>({
  name: 'kube-apiserver-identity-lease-controller',
  component,
  aliases: [],
  eventSource: 'kube-apiserver-identity-lease-controller',
  backoff: { baseMs: 200, maxMs: 7_000 },
  workers: () => 2,
  watches: [],
  create: (environment) => new IdentityLease(environment),
});
