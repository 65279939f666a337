/**
 * How many devices of a node stand for an extended resource, and how many of them are held (noderesources/resource_allocation.go).
 * Where a selector cannot be answered there are none, as upstream has it.
 */
import type { DeviceClass, ResourceSlice } from '../../api/resource/v1/types.gen.ts';
import { deviceMatches } from '../../cel/device.ts';
import { CelError } from '../../cel/values.ts';
import { matchesNodeSelector } from '../../component-helpers/node-affinity.ts';
import { type Claims, deviceKey } from './claims.ts';
import type { NodeInfo } from './node-info.ts';
import { SelectorPrograms } from './selector-programs.ts';

interface Counts {
  readonly total: number;
  readonly used: number;
}

export class DeviceCounts {
  readonly #claims: Claims;
  readonly #programs = new SelectorPrograms();

  constructor(claims: Claims) {
    this.#claims = claims;
  }

  /** Undefined for a resource that no class stands for. */
  of(resource: string, info: NodeInfo): Counts | undefined {
    const deviceClass = this.#claims.classFor(resource);
    if (deviceClass === undefined) return undefined;
    let [total, used] = [0, 0];
    try {
      for (const slice of this.#claims.slices())
        for (const device of devicesFor(slice, info)) {
          if (!this.#matches(deviceClass, slice, device)) continue;
          total++;
          const key = deviceKey({ driver: slice.spec.driver, pool: slice.spec.pool.name, device: device.name });
          if (this.#claims.inUse.isHeld(key) || this.#claims.inUse.consumed(key) !== undefined) used++;
        }
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      return { total: 0, used: 0 };
    }
    return { total, used };
  }

  #matches({ spec }: DeviceClass, slice: ResourceSlice, device: Device): boolean {
    return (spec.selectors ?? []).every(({ cel }) => {
      if (cel === undefined) return true;
      const program = this.#programs.compiled(cel.expression);
      if ('fault' in program) throw new CelError(program.fault);
      return deviceMatches(program, { ...device, driver: slice.spec.driver });
    });
  }
}

type Device = NonNullable<ResourceSlice['spec']['devices']>[number];

function devicesFor({ spec }: ResourceSlice, { name, node }: NodeInfo): readonly Device[] {
  const { perDeviceNodeSelection, devices = [], nodeName, allNodes, nodeSelector } = spec;
  if (perDeviceNodeSelection === true)
    return devices.filter(
      (one) => one.allNodes === true || one.nodeName === name || (one.nodeSelector !== undefined && matchesNodeSelector(one.nodeSelector, node)),
    );
  if (allNodes === true || nodeName === name) return devices;
  return nodeSelector !== undefined && matchesNodeSelector(nodeSelector, node) ? devices : [];
}
