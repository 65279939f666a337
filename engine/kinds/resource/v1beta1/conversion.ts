/**
 * Claims and devices between v1beta1, where a request says itself what it wants and a device keeps all below `basic`, and the stored v1. Mirrors
 * pkg/apis/resource/v1beta1/conversion.go and defaults.go.
 */
import type { Device as StoredDevice, DeviceRequest as StoredRequest } from '../../../api/resource/v1/types.gen.ts';
import type { Device, DeviceRequest, ResourceClaimSpec, ResourceSliceSpec } from '../../../api/resource/v1beta1/types.gen.ts';
import { edit, editEach } from '../../shared/defaulting.ts';
import type { KindDefinition } from '../../../contracts/kind.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { defaultClaimSpec, defaultTolerations } from '../v1/defaults.ts';
import { storedAs } from '../../shared/convert.ts';

type Spec = Parameters<typeof defaultClaimSpec>[0];
type SliceSpec = { readonly devices?: readonly StoredDevice[] };

/** What a request says itself here, in the order in which it is shown. */
const ownFields = ['deviceClassName', 'selectors', 'allocationMode', 'count', 'adminAccess', 'tolerations', 'capacity'] as const;

/** The storage of kinds of v1beta1 whose inside differs: `to` and `from` change it on the way. */
export function convertedStorage<T extends KubeObject>(
  to: (object: T) => KubeObject,
  from: (object: KubeObject) => T,
): NonNullable<KindDefinition<T>['storage']> {
  const plain = storedAs<T>('resource.k8s.io', 'v1beta1', 'v1');
  return { ...plain, toStorage: (object) => plain.toStorage(to(object) as T), fromStorage: (object) => plain.fromStorage(from(object)) };
}

export function claimSpecToStored(spec: ResourceClaimSpec): Spec {
  return edit(spec as Spec, 'devices', (devices) => editEach(devices, 'requests', (request) => requestToStored(request as unknown as DeviceRequest)));
}

export function claimSpecFromStored(spec: Spec): ResourceClaimSpec {
  return edit(spec, 'devices', (devices) =>
    editEach(devices, 'requests', (request) => requestFromStored(request) as unknown as StoredRequest),
  ) as unknown as ResourceClaimSpec;
}

/** A request that names no class has alternatives, and no mode of its own. */
export function defaultClaim(spec: ResourceClaimSpec): ResourceClaimSpec {
  return edit(spec, 'devices', (devices) => editEach(devices, 'requests', defaultRequest));
}

function defaultRequest(request: DeviceRequest): DeviceRequest {
  const stored = requestToStored(request);
  const { exactly, ...rest } = stored;
  const counted = request.deviceClassName ? stored : rest;
  const { devices } = defaultClaimSpec({ devices: { requests: [counted] } });
  const [filled = counted] = devices?.requests ?? [];
  return requestFromStored(request.deviceClassName || exactly === undefined ? filled : { ...filled, exactly: defaultTolerations(exactly) });
}

function requestToStored({ name, firstAvailable, ...own }: DeviceRequest): StoredRequest {
  const isOwn = ownFields.some((field) => own[field] !== undefined && own[field] !== '' && own[field] !== 0);
  return {
    name,
    ...(isOwn ? { exactly: { ...own, deviceClassName: own.deviceClassName ?? '' } } : {}),
    ...(firstAvailable === undefined ? {} : { firstAvailable }),
  };
}

function requestFromStored({ name, exactly, firstAvailable }: StoredRequest): DeviceRequest {
  return {
    name,
    ...(exactly as DeviceRequest | undefined),
    deviceClassName: exactly?.deviceClassName ?? '',
    ...(firstAvailable === undefined ? {} : { firstAvailable }),
  };
}

export function sliceSpecToStored(spec: ResourceSliceSpec): SliceSpec {
  return editEach(spec as unknown as SliceSpec, 'devices', (device) => {
    const { name, basic } = device as unknown as Device;
    return { name, ...basic } as StoredDevice;
  });
}

export function sliceSpecFromStored(spec: SliceSpec): ResourceSliceSpec {
  return editEach(spec, 'devices', ({ name, ...basic }) => ({ name, basic }) as unknown as StoredDevice) as unknown as ResourceSliceSpec;
}
