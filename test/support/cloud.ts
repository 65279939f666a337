/** A simulated cloud over a bench: its instances are the machines that a test names. */
import { type RentedMachine, SimulatedCloud } from '../../engine/cloud/provider.ts';
import { FaultPoints } from '../../engine/base/fault-points.ts';
import type { Bench } from './bench.ts';

export interface BenchCloud {
  readonly cloud: SimulatedCloud;
  readonly points: FaultPoints;
  /** By name; a test may add and remove some. */
  readonly machines: Map<string, RentedMachine>;
}

export function benchCloud(bench: Pick<Bench, 'loop' | 'random'>, names: readonly string[] = []): BenchCloud {
  const points = new FaultPoints();
  const machines = new Map(names.map((name, slot) => [name, rented(name, slot)]));
  const random = bench.random.stream('cloud');
  return { cloud: new SimulatedCloud({ loop: bench.loop, random, points, machine: (name) => machines.get(name) }), points, machines };
}

export function rented(name: string, slot: number, zone = 'sim-a'): RentedMachine {
  return { name, zone, region: 'sim', instanceType: 'small', address: `172.18.0.${slot + 2}`, slot };
}
