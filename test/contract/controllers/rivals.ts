/**
 * Somebody who makes what a controller is about to make, just before it does: the same object under the same name, as a former process of
 * the manager would have left it, or as nobody's, or as somebody else's. What the controller does not take over goes again after a while.
 */
import type { KubeObject, OwnerReference } from '../../../engine/apimachinery/object.ts';
import { StatusError } from '../../../engine/apimachinery/status.ts';
import type { Cluster } from '../../../engine/cluster/cluster.ts';
import type { ApiPipeline, ApiRequest } from '../../../engine/contracts/request.ts';

export type Ownership = 'the same owner' | 'nobody' | 'somebody else';

/** Longer than the first tries of a controller, and short enough that it has not given up waiting by long. */
export const rivalStaysMs = 20_000;
const identity = { name: 'rival', groups: ['system:masters'] };
/** Told by nobody's wish: signs of life, and what is told. */
const spared: ReadonlySet<string> = new Set(['events', 'leases']);
const ownerName = 'rival';

export class Rival {
  readonly #cluster: Cluster;
  readonly #pipeline: ApiPipeline;
  readonly #ownership: Ownership;
  /** Objects that it has made once. */
  readonly #made = new Set<string>();
  /** Resources of which it made one before a controller did. */
  readonly resources = new Set<string>();
  readonly #ownersIn = new Set<string>();

  constructor(cluster: Cluster, pipeline: ApiPipeline, ownership: Ownership) {
    this.#cluster = cluster;
    this.#pipeline = pipeline;
    this.#ownership = ownership;
  }

  /** A request to create something has arrived and is not done yet. */
  precede(request: ApiRequest): void {
    const body = request.body as KubeObject | undefined;
    const name = body?.metadata?.name;
    if (request.verb !== 'create' || request.subresource !== undefined || spared.has(request.resource) || body === undefined || !name) return;
    const place = placeOf(request, name);
    const key = JSON.stringify(place);
    if (this.#made.has(key)) return;
    const { ownerReferences: sent, ...metadata } = body.metadata;
    const owners = this.#owners(request, sent ?? []);
    if (this.#ownership !== 'the same owner' && sent === undefined && owners === undefined) return;
    if (
      !this.#ask({ verb: 'create', ...place, body: { ...body, metadata: { ...metadata, ...(owners && { ownerReferences: owners }) } } as KubeObject })
    )
      return;
    this.#made.add(key);
    this.resources.add(request.resource);
    if (this.#ownership !== 'the same owner') this.#cluster.loop.soon(rivalStaysMs, 'contract', () => this.#leave(place, owners));
  }

  /** Takes away the owners that it made. */
  end(): void {
    for (const namespace of this.#ownersIn)
      this.#ask({ verb: 'delete', group: '', version: 'v1', resource: 'configmaps', namespace, name: ownerName, delete: {} });
  }

  #owners({ namespace }: ApiRequest, sent: readonly OwnerReference[]): readonly OwnerReference[] | undefined {
    if (this.#ownership === 'the same owner') return sent;
    if (this.#ownership === 'nobody') return undefined;
    // A Namespace may own what is in none.
    const [resource, kind, name] = namespace === undefined ? ['namespaces', 'Namespace', 'default'] : ['configmaps', 'ConfigMap', ownerName];
    const place = { group: '', version: 'v1', resource, ...(namespace === undefined ? {} : { namespace }) };
    if (namespace !== undefined) {
      this.#ownersIn.add(namespace);
      this.#ask({ verb: 'create', ...place, body: { apiVersion: 'v1', kind, metadata: { name } } as KubeObject });
    }
    const uid = this.#ask({ verb: 'get', ...place, name })?.metadata.uid;
    return uid === undefined ? undefined : [{ apiVersion: 'v1', kind, name, uid, controller: true }];
  }

  /** Goes, unless somebody has taken it over. */
  #leave(place: Place, owners: readonly OwnerReference[] | undefined): void {
    const now = this.#ask({ verb: 'get', ...place });
    const isOurs = JSON.stringify(now?.metadata.ownerReferences ?? []) === JSON.stringify(owners ?? []);
    if (now?.metadata.uid === undefined || !isOurs) return;
    this.#ask({ verb: 'delete', ...place, delete: { preconditions: { uid: now.metadata.uid }, gracePeriodSeconds: 0 } });
  }

  /** The answer; undefined where it is refused, as it may be in a namespace that goes. */
  #ask(request: Pick<ApiRequest, 'verb' | 'group' | 'version' | 'resource'> & Partial<ApiRequest>): KubeObject | undefined {
    try {
      const { object } = this.#pipeline.handle({ ...request, identity, userAgent: 'rival/1', causes: [] }) as { readonly object: KubeObject };
      return object;
    } catch (error) {
      if (error instanceof StatusError) return undefined;
      throw error;
    }
  }
}

type Place = Pick<ApiRequest, 'group' | 'version' | 'resource'> & { readonly namespace?: string; readonly name: string };

function placeOf({ group, version, resource, namespace }: ApiRequest, name: string): Place {
  return { group, version, resource, name, ...(namespace === undefined ? {} : { namespace }) };
}
