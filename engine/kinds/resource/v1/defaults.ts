/** Defaults of claims for devices. Mirrors pkg/apis/resource/v1/defaults.go. */
import type { Int64 } from '../../../base/int64.ts';
import type { DeviceRequest, DeviceToleration, ResourceClaimSpec } from '../../../api/resource/v1/types.gen.ts';
import { edit, editEach } from '../../shared/defaulting.ts';

interface Counted {
  readonly allocationMode?: string;
  readonly count?: Int64;
  readonly tolerations?: readonly DeviceToleration[];
}

function defaultOperator(toleration: DeviceToleration): DeviceToleration {
  return toleration.operator ? toleration : { ...toleration, operator: 'Equal' };
}

function defaultCount<R extends Counted>(request: R): R {
  const mode = request.allocationMode || 'ExactCount';
  const count = mode === 'ExactCount' && !request.count ? 1 : request.count;
  if (mode === request.allocationMode && count === request.count) return request;
  return { ...request, allocationMode: mode, ...(count === undefined ? undefined : { count }) };
}

export function defaultTolerations<R extends Counted>(request: R): R {
  const { tolerations } = request;
  return tolerations?.some(({ operator }) => !operator) === true ? { ...request, tolerations: tolerations.map(defaultOperator) } : request;
}

function defaultWanted<R extends Counted>(request: R): R {
  return defaultTolerations(defaultCount(request));
}

function defaultRequest(request: DeviceRequest): DeviceRequest {
  return editEach(edit(request, 'exactly', defaultWanted), 'firstAvailable', defaultWanted);
}

export function defaultClaimSpec(spec: ResourceClaimSpec): ResourceClaimSpec {
  return edit(spec, 'devices', (devices) => editEach(devices, 'requests', defaultRequest));
}
