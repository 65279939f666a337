/** Defaults of claims for devices. Mirrors pkg/apis/resource/v1/defaults.go. */
import type { Int64 } from '../../../base/int64.ts';
import type { DeviceRequest, ResourceClaimSpec } from '../../../api/resource/v1/types.gen.ts';
import { edit, editEach } from '../../shared/defaulting.ts';

interface Counted {
  readonly allocationMode?: string;
  readonly count?: Int64;
}

function defaultCount<R extends Counted>(request: R): R {
  const mode = request.allocationMode || 'ExactCount';
  const count = mode === 'ExactCount' && !request.count ? 1 : request.count;
  if (mode === request.allocationMode && count === request.count) return request;
  return { ...request, allocationMode: mode, ...(count === undefined ? undefined : { count }) };
}

function defaultRequest(request: DeviceRequest): DeviceRequest {
  return editEach(edit(request, 'exactly', defaultCount), 'firstAvailable', defaultCount);
}

export function defaultClaimSpec(spec: ResourceClaimSpec): ResourceClaimSpec {
  return edit(spec, 'devices', (devices) => editEach(devices, 'requests', defaultRequest));
}
