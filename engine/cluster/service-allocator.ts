/** What Services share, over the ranges of the options and of ServiceCIDRs. */
import type { Service } from '../api/core/v1/types.gen.ts';
import type { ServiceCIDR } from '../api/networking/v1/types.gen.ts';
import { addressOf } from '../component-helpers/service-address.ts';
import { type AddressObjects, createServiceAllocator } from '../kinds/core/v1/service-allocation.ts';
import type { AllocationSource } from '../registry/allocation.ts';
import type { CoreDependencies } from '../registry/core.ts';
import type { Settings } from './settings.ts';

/** `hasObjects`: IPAddresses say which are taken. */
export function createServices(settings: Settings, hasObjects: boolean): NonNullable<CoreDependencies['services']> {
  const [nodePortMin = 0, nodePortMax = 0] = settings.text('service-node-port-range').split('-').map(Number);
  const clusterIps = settings.text('service-cluster-ip-range').split(',');
  return (source) => {
    const furtherIps = (): readonly string[] =>
      (source.stored('servicecidrs') as readonly ServiceCIDR[]).filter(isReady).flatMap(({ spec }) => spec?.cidrs ?? []);
    return createServiceAllocator(
      () => source.stored('services/specs') as readonly Service[],
      { clusterIps, furtherIps, ...(hasObjects && { addresses: addressObjects(source) }), nodePortMin, nodePortMax },
      (below) => source.draw(below),
    );
  };
}

/** IPAddresses, which say what is taken whoever made them. */
function addressObjects({ isTaken, take, giveBack }: AllocationSource): AddressObjects {
  const [group, plural] = ['networking.k8s.io', 'ipaddresses'];
  return {
    has: (address) => isTaken(group, plural, address),
    add: (address, holder) => take(group, plural, addressOf(address, holder)),
    remove: (address) => giveBack(group, plural, address),
  };
}

/** Only then addresses are given of it; the service-cidr controller says so. */
function isReady({ metadata, status }: ServiceCIDR): boolean {
  return (
    metadata.deletionTimestamp === undefined && (status?.conditions ?? []).some(({ type, status: state }) => type === 'Ready' && state === 'True')
  );
}
