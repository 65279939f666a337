/** Endpoints by pod, made once for each state of a pod: most pods of a service have not changed since its last sync. Derived data. */
import type { Node, Pod, Service } from '../../api/core/v1/types.gen.ts';
import type { Endpoint } from '../../api/discovery/v1/types.gen.ts';
import { endpointKey } from '../lib/slice-endpoints.ts';
import { type AddressType, endpointOf } from './desired.ts';

interface Entry {
  readonly node: Node | undefined;
  readonly service: string;
  readonly publishNotReady: boolean | undefined;
  readonly addressType: AddressType;
  readonly key: string;
  readonly endpoint: Endpoint;
}

export class EndpointCache {
  readonly #byPod = new WeakMap<Pod, Entry>();

  get(pod: Pod, node: Node | undefined, service: Service, addressType: AddressType): { readonly key: string; readonly endpoint: Endpoint } {
    const { name = '' } = service.metadata;
    const publishNotReady = service.spec?.publishNotReadyAddresses;
    const cached = this.#byPod.get(pod);
    if (
      cached !== undefined &&
      cached.node === node &&
      cached.service === name &&
      cached.publishNotReady === publishNotReady &&
      cached.addressType === addressType
    ) {
      return cached;
    }
    const endpoint = endpointOf(pod, node, service, addressType);
    const entry: Entry = { node, service: name, publishNotReady, addressType, key: endpointKey(endpoint), endpoint };
    this.#byPod.set(pod, entry);
    return entry;
  }
}
