/**
 * How long the simulated provider takes, in virtual milliseconds, and what it has: named numbers in one place (law 7). Each call is
 * drawn uniformly between its bounds. The times are those of a quick provider; `cloud-slow` makes a slow one.
 */
import type { CloudOperation } from '../contracts/cloud.ts';

const reading: readonly [number, number] = [20, 60];

export const latencyMs: { readonly [operation in CloudOperation]: readonly [min: number, max: number] } = {
  getInstance: reading,
  getLoadBalancer: reading,
  listRoutes: reading,
  getDisk: reading,
  listDisks: reading,
  ensureLoadBalancer: [1_500, 3_000],
  updateLoadBalancer: [300, 700],
  deleteLoadBalancer: [800, 1_500],
  createRoute: [200, 400],
  deleteRoute: [200, 400],
  createDisk: [500, 1_000],
  deleteDisk: [300, 700],
  resizeDisk: [500, 1_000],
  attachDisk: [1_500, 2_500],
  detachDisk: [1_000, 2_000],
};

/** Disks of one instance, as of many real ones. */
export const disksPerInstanceMax = 25;
/** Addresses of load balancers: 198.18.0.1 to 198.18.255.254, of the range set aside for benchmarks (RFC 2544). */
export const balancerRange = { first: '198.18.0.1', count: 65_534 } as const;
/** Addresses of instances towards the outside: that one and those that follow. */
export const instanceRangeFirst = '198.19.0.2';
