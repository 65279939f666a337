/** Requests for devices and their alternatives in one form. */
import type { DeviceClass, DeviceRequest, DeviceSelector, DeviceToleration, ResourceClaim } from '../../../api/resource/v1/types.gen.ts';
import { toNumber } from '../../../base/int64.ts';

export interface Request {
  readonly name: string;
  /** The request that this is an alternative of. */
  readonly parent?: string;
  readonly className: string;
  readonly mode: string;
  readonly count: number;
  readonly adminAccess: boolean;
  readonly selectors: readonly DeviceSelector[];
  readonly tolerations: readonly DeviceToleration[] | undefined;
  /** Of the device's capacities. */
  readonly capacity: { readonly [name: string]: string };
}

/** A request with its class. */
export interface ClassedRequest extends Request {
  readonly class: DeviceClass;
}

export function fullName({ name, parent }: Pick<Request, 'name' | 'parent'>): string {
  return parent === undefined ? name : `${parent}/${name}`;
}

/** One for an exact request, several for a request of which the first that can be had is taken. */
export function alternativesOf({ name, exactly, firstAvailable = [] }: DeviceRequest): readonly Request[] {
  if (exactly !== undefined) return [{ ...common(name, exactly), adminAccess: exactly.adminAccess === true }];
  return firstAvailable.map((one) => ({ ...common(one.name, one), parent: name, adminAccess: false }));
}

type Wanted = Omit<NonNullable<DeviceRequest['exactly']>, 'adminAccess'>;

function common(name: string, { deviceClassName, allocationMode, count, selectors, tolerations, capacity }: Wanted): Omit<Request, 'adminAccess'> {
  return {
    name,
    className: deviceClassName,
    mode: allocationMode ?? '',
    count: toNumber(count ?? 0),
    selectors: selectors ?? [],
    tolerations,
    capacity: capacity?.requests ?? {},
  };
}

export function claimText({ metadata }: ResourceClaim): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
