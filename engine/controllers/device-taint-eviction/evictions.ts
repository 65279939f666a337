/**
 * When pods must leave devices with NoExecute taints, and which DeviceTaintRules say so; pure. Mirrors claimEvictionTime and
 * podEvictionTime of pkg/controller/devicetainteviction.
 */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { Device, DeviceTaint, DeviceToleration, ResourceClaim, ResourceSlice } from '../../api/resource/v1/types.gen.ts';
import type { DeviceTaintRule } from '../../api/resource/v1beta2/types.gen.ts';
import { parseTime } from '../lib/time.ts';
import { claimNameOf, isMadeFor } from '../lib/resource-claims.ts';
import { isReservedFor } from '../../component-helpers/resource-claims.ts';

export interface Eviction {
  readonly atMs: number;
  /** Keys of the rules among its reasons, in byte order: `ruleKey`. */
  readonly rules: readonly string[];
}

/** What there is; the informers of the controller. */
export interface DeviceWorld {
  /** Slices of a pool, of all its generations. */
  slicesOf(pool: string): readonly ResourceSlice[];
  claim(namespace: string, name: string): ResourceClaim | undefined;
  /** Claims may be made and reserved for groups of pods. */
  readonly sharesGroups: boolean;
  /** Rules that evict. */
  readonly rules: readonly DeviceTaintRule[];
}

type AllocatedDevice = NonNullable<NonNullable<NonNullable<ResourceClaim['status']>['allocation']>['devices']>['results'] extends
  | readonly (infer Result)[]
  | null
  | undefined
  ? Result
  : never;

interface Reason {
  readonly taint: DeviceTaint;
  readonly rule?: string;
}

export function poolKey(driver: string, pool: string): string {
  return `${driver}/${pool}`;
}

export function ruleKey({ metadata }: DeviceTaintRule): string {
  return `${metadata.name}/${metadata.uid}`;
}

export function allocatedDevices({ status }: ResourceClaim): readonly AllocatedDevice[] {
  return status?.allocation?.devices?.results ?? [];
}

/** Slices of the pool's present generation. */
export function presentSlices(slices: readonly ResourceSlice[]): readonly ResourceSlice[] {
  const generation = Math.max(...slices.map(generationOf));
  return slices.filter((slice) => generationOf(slice) === generation);
}

export function ruleMatches({ spec }: DeviceTaintRule, driver: string, pool: string, device: string): boolean {
  const selector = spec.deviceSelector;
  return (
    selector !== undefined && (selector.driver ?? driver) === driver && (selector.pool ?? pool) === pool && (selector.device ?? device) === device
  );
}

/** Undefined when the pod may stay. */
export function podEviction(world: DeviceWorld, pod: Pod): Eviction | undefined {
  if (!pod.spec?.nodeName) return undefined;
  const found = (pod.spec.resourceClaims ?? []).flatMap((wanted): readonly Eviction[] => {
    const named = claimNameOf(pod, wanted);
    const claim = typeof named === 'string' ? undefined : world.claim(pod.metadata.namespace ?? '', named.name);
    if (claim === undefined || typeof named === 'string' || (named.isMade && !isMadeFor(claim, pod, world.sharesGroups))) return [];
    if (!isReservedFor(claim, pod, world.sharesGroups)) return [];
    const eviction = claimEviction(world, claim);
    return eviction === undefined ? [] : [eviction];
  });
  return together(found);
}

function claimEviction(world: DeviceWorld, claim: ResourceClaim): Eviction | undefined {
  if (claim.status?.allocation === undefined) return undefined;
  return together(
    allocatedDevices(claim).flatMap((allocated) =>
      reasonsFor(world, allocated).flatMap(({ taint, rule }): readonly Eviction[] => {
        const toleranceMs = toleratedMs(taint, allocated.tolerations ?? []);
        const addedMs = parseTime(taint.timeAdded);
        if (toleranceMs === undefined || addedMs === undefined) return [];
        return [{ atMs: addedMs + toleranceMs, rules: rule === undefined ? [] : [rule] }];
      }),
    ),
  );
}

function together(evictions: readonly Eviction[]): Eviction | undefined {
  if (evictions.length === 0) return undefined;
  const rules = new Set(evictions.flatMap((eviction) => eviction.rules));
  return { atMs: Math.min(...evictions.map(({ atMs }) => atMs)), rules: [...rules].sort() };
}

function reasonsFor(world: DeviceWorld, { driver, pool, device }: AllocatedDevice): readonly Reason[] {
  const slices = presentSlices(world.slicesOf(poolKey(driver, pool)));
  const found = slices.flatMap((slice) => slice.spec.devices ?? []).find(({ name }: Device) => name === device);
  const ofRules = world.rules
    .filter((rule) => ruleMatches(rule, driver, pool, device))
    .flatMap((rule) => (rule.spec.taint === undefined ? [] : [{ taint: rule.spec.taint, rule: ruleKey(rule) }]));
  return [...(found?.taints ?? []).filter(({ effect }) => effect === 'NoExecute').map((taint) => ({ taint })), ...ofRules];
}

/** How long the taint is borne; undefined for ever. */
function toleratedMs(taint: DeviceTaint, tolerations: readonly DeviceToleration[]): number | undefined {
  const fitting = tolerations.filter((toleration) => toleration.effect === 'NoExecute' && toleratesDeviceTaint(toleration, taint));
  if (fitting.some(({ tolerationSeconds }) => tolerationSeconds === undefined || tolerationSeconds === null)) return undefined;
  const seconds = fitting.map(({ tolerationSeconds }) => Math.max(0, Number(tolerationSeconds)));
  return seconds.length === 0 ? 0 : Math.min(...seconds) * 1000;
}

function toleratesDeviceTaint({ key = '', operator = '', value = '' }: DeviceToleration, taint: DeviceTaint): boolean {
  if (key !== '' && key !== taint.key) return false;
  return operator === 'Exists' || ((operator === '' || operator === 'Equal') && value === (taint.value ?? ''));
}

function generationOf({ spec }: ResourceSlice): number {
  return Number(spec.pool.generation);
}
