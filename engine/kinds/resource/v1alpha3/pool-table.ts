/** Cells of resource pool status requests. Mirrors printResourcePoolStatusRequest of pkg/printers/internalversion. */
import type { PoolStatus, ResourcePoolStatusRequest } from '../../../api/resource/v1alpha3/types.gen.ts';
import type { TableContext } from '../../../contracts/kind.ts';
import type { JsonValue } from '../../../base/json.ts';
import { nameOf, since } from '../../shared/table.ts';

export function poolCells(request: ResourcePoolStatusRequest, context: TableContext): readonly JsonValue[] {
  const status = request.status;
  const done = status?.conditions?.find((condition) => condition.status === 'True' && (condition.type === 'Complete' || condition.type === 'Failed'));
  const verdict = done?.type ?? 'Pending';
  const pools: readonly PoolStatus[] = status?.pools ?? [];
  const count = status?.poolCount ?? 0;
  const shown = verdict === 'Complete' && count > pools.length ? `Complete (${pools.length}/${count} pools)` : verdict;
  const completed = verdict === 'Complete' ? since(done?.lastTransitionTime, context) : '<none>';
  return [nameOf(request), request.spec?.driver ?? '', ...totals(pools, status !== undefined && verdict !== 'Failed'), count, shown, completed];
}

function totals(pools: readonly PoolStatus[], known: boolean): readonly string[] {
  const sum = (read: (pool: PoolStatus) => number | undefined): string =>
    known ? String(pools.reduce((total, pool) => total + (read(pool) ?? 0), 0)) : '-';
  return [
    sum((pool) => pool.totalDevices),
    sum((pool) => pool.availableDevices),
    sum((pool) => pool.allocatedDevices),
    sum((pool) => pool.unavailableDevices),
    sum((pool) => (pool.validationError === undefined ? 0 : 1)),
  ];
}
