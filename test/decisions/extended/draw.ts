/** Pods that ask for extended resources, some of which devices stand for, drawn from a seed with the nodes they are put before. */
import type { JsonObject, JsonValue } from '../../../engine/base/json.ts';
import { Random } from '../../../engine/base/random.ts';

export const driver = 'gpu.example.com';
/** Of both schedulers: what is free of a device counts too. (NodeResourcesBalancedAllocation with such a resource makes the real one panic.) */
export const pluginArgs: { readonly [plugin: string]: JsonObject } = {
  NodeResourcesFit: {
    scoringStrategy: {
      type: 'LeastAllocated',
      resources: [
        { name: 'cpu', weight: 1 },
        { name: 'memory', weight: 1 },
        { name: 'example.com/gpu', weight: 3 },
      ],
    },
  },
};

export interface DrawnExtended {
  readonly seed: number;
  readonly nodes: readonly { readonly name: string; readonly plugin: JsonObject; readonly devices: number }[];
  /** One after the other: the youngest of those with one name counts. */
  readonly classes: readonly { readonly name: string; readonly extendedResourceName?: string; readonly fast: boolean }[];
  readonly pods: readonly { readonly name: string; readonly spec: JsonObject; readonly claims: readonly string[] }[];
}

export interface ExtendedFact {
  readonly pod: string;
  readonly node?: string;
  readonly message?: string;
  readonly scores?: { readonly [node: string]: number };
  /** `container/resource=request`. */
  readonly mappings?: readonly string[];
  /** Of the claim that was made: its requests, then its devices. */
  readonly requests?: readonly string[];
  readonly devices?: readonly string[];
}

export interface ExtendedFacts {
  readonly seed: number;
  readonly facts: readonly ExtendedFact[];
}

export function drawExtended(seed: number): DrawnExtended {
  const draw = new Random(seed).stream('extended');
  const chance = (percent: number): boolean => draw.integer(100) < percent;
  const nodes = Array.from({ length: 1 + draw.integer(3) }, (_, i) => {
    const plugin = chance(30) ? { 'example.com/gpu': `${draw.integer(3)}` } : {};
    return { name: `n${i}`, plugin, devices: chance(80) ? 1 + draw.integer(4) : 0 };
  });
  const classes: DrawnExtended['classes'] = [
    { name: 'gpu', ...(chance(80) ? { extendedResourceName: 'example.com/gpu' } : {}), fast: false },
    ...(chance(30) ? [{ name: 'fast', extendedResourceName: chance(50) ? 'example.com/gpu' : 'example.com/fast', fast: true }] : []),
  ];
  const resources = ['example.com/gpu', 'example.com/gpu', 'deviceclass.resource.kubernetes.io/gpu', 'example.com/fast', 'example.com/none'];
  const asked = (most: number): JsonObject => {
    const requests: { [name: string]: string } = { cpu: '100m', memory: '128Mi' };
    for (let i = draw.integer(most + 1); i > 0; i--) {
      const name = resources[chance(90) ? draw.integer(4) : 4] as string;
      requests[name] = `${chance(15) ? 0 : 1 + draw.integer(2)}`;
    }
    return { requests, limits: requests };
  };
  const container = (name: string, most: number, more: JsonObject = {}): JsonValue => ({ name, image: 'nginx', resources: asked(most), ...more });
  const pods = Array.from({ length: 5 }, (_, at) => {
    const initContainers = chance(50)
      ? Array.from({ length: 1 + draw.integer(3) }, (__, i) => container(`i${i}`, 1, chance(40) ? { restartPolicy: 'Always' } : {}))
      : [];
    const containers = Array.from({ length: 1 + draw.integer(2) }, (__, i) => container(`c${i}`, 2));
    const claims = chance(15) ? [`p${at}-own`] : [];
    const prefers = nodes.map(({ name }, i) => ({
      weight: 1 + 40 * ((i + at) % nodes.length),
      preference: { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [name] }] },
    }));
    const spec = {
      containers,
      ...(initContainers.length === 0 ? {} : { initContainers }),
      ...(claims.length === 0 ? {} : { resourceClaims: claims.map((name) => ({ name, resourceClaimName: name })) }),
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: prefers } },
    };
    return { name: `p${at}`, spec: spec as JsonObject, claims };
  });
  return { seed, nodes, classes, pods };
}

export function sliceOf(node: string, devices: number): JsonObject {
  const all = Array.from({ length: devices }, (_, i) => ({ name: `g${i}`, attributes: { speed: { int: i } } }));
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: `slice-${node}` },
    spec: { driver, nodeName: node, pool: { name: node, generation: 1, resourceSliceCount: 1 }, devices: all },
  };
}

export function classOf({ name, extendedResourceName, fast }: DrawnExtended['classes'][number]): JsonObject {
  const expression = fast ? `device.driver == "${driver}" && device.attributes["${driver}"].speed > 0` : `device.driver == "${driver}"`;
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name },
    spec: { selectors: [{ cel: { expression } }], ...(extendedResourceName === undefined ? {} : { extendedResourceName }) },
  };
}

export function ownClaim(name: string): JsonObject {
  const exactly = { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 };
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name, namespace: 'default' },
    spec: { devices: { requests: [{ name: 'r', exactly }] } },
  };
}
