/** How many devices of each pool of a driver are free; pure. Mirrors calculatePoolStatus of pkg/controller/resourcepoolstatusrequest. */
import type { ResourceClaim, ResourceSlice } from '../../api/resource/v1/types.gen.ts';
import type { PoolStatus, ResourcePoolStatusRequest, ResourcePoolStatusRequestStatus } from '../../api/resource/v1alpha3/types.gen.ts';
import { formatTime } from '../../apimachinery/time.ts';

const poolsDefault = 100;
const errorBytesMax = 256;

export function poolStatus(
  { spec }: ResourcePoolStatusRequest,
  slices: readonly ResourceSlice[],
  claims: readonly ResourceClaim[],
  nowMs: number,
): ResourcePoolStatusRequestStatus {
  const wanted = slices.filter(({ spec: { driver, pool } }) => driver === spec.driver && (spec.poolName ?? pool.name) === pool.name);
  const pools = [...Map.groupBy(wanted, (slice) => slice.spec.pool.name)].map(([name, ofPool]) => statusOf(spec.driver, name, ofPool, claims));
  pools.sort((a, b) => ((a.poolName ?? '') < (b.poolName ?? '') ? -1 : 1));
  const told = pools.slice(0, spec.limit ?? poolsDefault);
  const incomplete = told.filter(({ validationError }) => validationError !== undefined).length;
  const message = `Calculated status for ${told.length} pools${incomplete > 0 ? ` (${incomplete} incomplete)` : ''}`;
  return {
    poolCount: pools.length,
    ...(told.length === 0 ? {} : { pools: told }),
    conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: formatTime(nowMs), reason: 'CalculationComplete', message }],
  };
}

/** Of the slices of the newest generation. */
function statusOf(driver: string, poolName: string, all: readonly ResourceSlice[], claims: readonly ResourceClaim[]): PoolStatus {
  const generation = Math.max(...all.map(({ spec }) => Number(spec.pool.generation)));
  const slices = all.filter(({ spec }) => Number(spec.pool.generation) === generation);
  const nodeNames = new Set(slices.map(({ spec }) => spec.nodeName ?? ''));
  const [nodeName = ''] = nodeNames;
  const expected = Number(slices[0]?.spec.pool.resourceSliceCount ?? 0);
  const onNode = nodeNames.size === 1 && nodeName !== '' ? { nodeName } : {};
  const pool = { driver, poolName, generation };
  if (slices.length < expected) {
    const error = `pool ${driver}/${poolName} is incomplete: observed ${slices.length}/${expected} slices at generation ${generation}`;
    return { ...pool, ...onNode, validationError: error.slice(0, errorBytesMax) };
  }
  const totalDevices = slices.reduce((sum, { spec }) => sum + (spec.devices?.length ?? 0), 0);
  const allocatedDevices = claims
    .flatMap(({ status }) => status?.allocation?.devices?.results ?? [])
    .filter((device) => device.driver === driver && device.pool === poolName).length;
  return {
    ...pool,
    resourceSliceCount: slices.length,
    totalDevices,
    allocatedDevices,
    availableDevices: Math.max(0, totalDevices - allocatedDevices),
    unavailableDevices: 0,
    ...onNode,
  };
}
