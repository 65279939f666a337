/** What a leader holds: a Lease, or as older releases do an annotation on Endpoints or a ConfigMap. Mirrors client-go tools/leaderelection/resourcelock. */
import type { ConfigMap, Endpoints } from '../../api/core/v1/types.gen.ts';
import type { Lease, LeaseSpec } from '../../api/coordination/v1/types.gen.ts';
import { reasonForError } from '../../apimachinery/errors.ts';
import { formatMicroTime, formatTime, parseTime } from '../../apimachinery/time.ts';
import type { Client, ResourceType } from '../../client/client.ts';
import { configMaps, endpoints, leases } from '../../client/resources.ts';
import { badUsage } from './flag-set.ts';

export interface LeaderRecord {
  /** Empty when nobody leads. */
  readonly holderIdentity: string;
  readonly leaseSeconds: number;
  readonly acquiredMs: number;
  readonly renewedMs: number;
  readonly transitions: number;
}

export interface ResourceLock {
  /** Undefined when the object is not there. */
  get(): Promise<LeaderRecord | undefined>;
  create(record: LeaderRecord): Promise<void>;
  /** Of the object as it was last read: what moved meanwhile is a Conflict. */
  update(record: LeaderRecord): Promise<void>;
  /** For events. */
  readonly reference: { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly namespace: string };
}

export interface LockPlace {
  readonly namespace: string;
  readonly name: string;
}

export const lockKinds: readonly string[] = ['leases', 'endpoints', 'configmaps'];
const annotation = 'control-plane.alpha.kubernetes.io/leader';

/** Throws a CommandError for a kind that is none. */
export function createLock(kind: string, place: LockPlace, client: Client): ResourceLock {
  switch (kind) {
    case 'leases':
      return new ObjectLock<Lease>(leases, place, client, leaseRecord, (lease, record) => ({ ...lease, spec: leaseSpec(record) }));
    case 'endpoints':
      return new ObjectLock<Endpoints>(endpoints, place, client, annotatedRecord, annotated);
    case 'configmaps':
      return new ObjectLock<ConfigMap>(configMaps, place, client, annotatedRecord, annotated);
    default:
      throw badUsage(`Invalid lock-type ${kind}`);
  }
}

class ObjectLock<T extends Lease | Endpoints | ConfigMap> implements ResourceLock {
  readonly reference: ResourceLock['reference'];
  readonly #type: ResourceType<T>;
  readonly #client: Client;
  readonly #read: (object: T) => LeaderRecord | undefined;
  readonly #write: (object: T, record: LeaderRecord) => T;
  #object: T | undefined;

  constructor(
    type: ResourceType<T>,
    { namespace, name }: LockPlace,
    client: Client,
    read: (object: T) => LeaderRecord | undefined,
    write: (object: T, record: LeaderRecord) => T,
  ) {
    this.#type = type;
    this.#client = client;
    this.#read = read;
    this.#write = write;
    this.reference = { apiVersion: type.group === '' ? type.version : `${type.group}/${type.version}`, kind: type.kind, name, namespace };
  }

  async get(): Promise<LeaderRecord | undefined> {
    try {
      this.#object = await this.#client.get(this.#type, this.reference.namespace, this.reference.name);
    } catch (error) {
      if (reasonForError(error) === 'NotFound') return undefined;
      throw error;
    }
    return this.#read(this.#object) ?? { holderIdentity: '', leaseSeconds: 0, acquiredMs: 0, renewedMs: 0, transitions: 0 };
  }

  async create(record: LeaderRecord): Promise<void> {
    const { apiVersion, kind, name, namespace } = this.reference;
    const fresh = { apiVersion, kind, metadata: { name, namespace } } as T;
    this.#object = await this.#client.create(this.#type, this.#write(fresh, record));
  }

  async update(record: LeaderRecord): Promise<void> {
    if (this.#object === undefined) throw new Error('a lock is read before it is written');
    this.#object = await this.#client.update(this.#type, this.#write(this.#object, record));
  }
}

function leaseRecord({ spec = {} }: Lease): LeaderRecord {
  const { holderIdentity = '', leaseDurationSeconds = 0, acquireTime = '', renewTime = '', leaseTransitions = 0 } = spec;
  return {
    holderIdentity,
    leaseSeconds: leaseDurationSeconds,
    acquiredMs: parseTime(acquireTime) ?? 0,
    renewedMs: parseTime(renewTime) ?? 0,
    transitions: leaseTransitions,
  };
}

function leaseSpec({ holderIdentity, leaseSeconds, acquiredMs, renewedMs, transitions }: LeaderRecord): LeaseSpec {
  return {
    holderIdentity,
    leaseDurationSeconds: Math.max(1, Math.floor(leaseSeconds)),
    acquireTime: formatMicroTime(acquiredMs),
    renewTime: formatMicroTime(renewedMs),
    leaseTransitions: transitions,
  };
}

/** The annotation's JSON as client-go's LeaderElectionRecord writes it. */
function annotated<T extends Endpoints | ConfigMap>(object: T, record: LeaderRecord): T {
  const { holderIdentity, leaseSeconds, acquiredMs, renewedMs, transitions } = record;
  const text = JSON.stringify({
    holderIdentity,
    leaseDurationSeconds: Math.floor(leaseSeconds),
    acquireTime: formatTime(acquiredMs),
    renewTime: formatTime(renewedMs),
    leaderTransitions: transitions,
  });
  return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [annotation]: text } } };
}

/** Undefined for an object that nobody has led by. Throws for an annotation that is no record. */
function annotatedRecord({ metadata }: Endpoints | ConfigMap): LeaderRecord | undefined {
  const text = metadata.annotations?.[annotation];
  if (text === undefined) return undefined;
  const read = JSON.parse(text) as Readonly<Record<string, string | number | undefined>>;
  return {
    holderIdentity: String(read['holderIdentity'] ?? ''),
    leaseSeconds: Number(read['leaseDurationSeconds'] ?? 0),
    acquiredMs: parseTime(String(read['acquireTime'])) ?? 0,
    renewedMs: parseTime(String(read['renewTime'])) ?? 0,
    transitions: Number(read['leaderTransitions'] ?? 0),
  };
}
