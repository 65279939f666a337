/** The load balancers of the simulated provider, each with an address: the lowest free one, or the one that was asked for. */
import { fixedList, record, text } from '../base/codecs.ts';
import type { Slots } from '../base/slots.ts';
import { CloudError, type CloudLoadBalancer, type CloudLoadBalancerRequest } from '../contracts/cloud.ts';
import { addressAt, offsetOf } from './addresses.ts';
import { balancerRange } from './physics.ts';

const balancerCodec = record<CloudLoadBalancer>({
  name: text,
  address: text,
  ports: fixedList(text),
  nodes: fixedList(text),
  sourceRanges: fixedList(text),
});

export class LoadBalancers {
  readonly #balancers: Map<string, CloudLoadBalancer>;
  /** Derived: addresses taken, as offsets; and where the lowest free one may be. */
  readonly #taken = new Set<number>();
  #lowest = 0;

  constructor(slots: Slots) {
    this.#balancers = slots.map('loadBalancers', balancerCodec);
    slots.onRestored(() => {
      this.#taken.clear();
      this.#lowest = 0;
      for (const { address } of this.#balancers.values()) this.#taken.add(offsetOf(balancerRange.first, address) ?? 0);
    });
  }

  get count(): number {
    return this.#balancers.size;
  }

  get(name: string): CloudLoadBalancer | undefined {
    return this.#balancers.get(name);
  }

  ensure({ name, ports, nodes, sourceRanges, address }: CloudLoadBalancerRequest): CloudLoadBalancer {
    const known = this.#balancers.get(name);
    const isMoved = known !== undefined && address !== '' && known.address !== address;
    const offset = known === undefined || isMoved ? this.#choose(address) : undefined;
    if (isMoved) this.#release(known);
    if (offset !== undefined) this.#taken.add(offset);
    const made = {
      name,
      address: offset === undefined ? (known?.address ?? '') : addressAt(balancerRange.first, offset),
      ports,
      nodes,
      sourceRanges,
    };
    this.#balancers.set(name, made);
    return made;
  }

  update(name: string, nodes: readonly string[]): void {
    const known = this.#balancers.get(name);
    if (known === undefined) throw new CloudError('NotFound', `there is no load balancer ${name}`);
    this.#balancers.set(name, { ...known, nodes });
  }

  delete(name: string): void {
    const known = this.#balancers.get(name);
    if (known === undefined) return;
    this.#release(known);
    this.#balancers.delete(name);
  }

  #choose(address: string): number {
    if (address === '') return this.#nextFree();
    const offset = offsetOf(balancerRange.first, address);
    if (offset === undefined || offset < 0 || offset >= balancerRange.count)
      throw new CloudError('Invalid', `requested address ${JSON.stringify(address)} is not one of the provider's`);
    if (this.#taken.has(offset)) throw new CloudError('Conflict', `requested address ${address} is in use`);
    return offset;
  }

  #nextFree(): number {
    if (this.#taken.size >= balancerRange.count) throw new CloudError('QuotaExceeded', 'there is no address left');
    while (this.#taken.has(this.#lowest)) this.#lowest++;
    return this.#lowest;
  }

  #release({ address }: CloudLoadBalancer): void {
    const offset = offsetOf(balancerRange.first, address) ?? 0;
    this.#taken.delete(offset);
    this.#lowest = Math.min(this.#lowest, offset);
  }
}
