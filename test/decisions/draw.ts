/**
 * Small clusters drawn from a seed, and pods to be placed in them one after the other. What is drawn exercises every scheduler plugin;
 * the objects are as a user would apply them.
 */
import { Random, type RandomStream } from '../../engine/base/random.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { drawClaim, drawDevices } from './draw-devices.ts';
import { drawVolumes, type Volumes } from './draw-volumes.ts';

export interface Drawn {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [field: string]: JsonValue | undefined };
  readonly [field: string]: unknown;
}

export interface DrawnCluster {
  readonly seed: number;
  /** What is there before, in the order in which it is made; pods among it have a node. */
  readonly objects: readonly Drawn[];
  readonly pods: readonly DrawnPod[];
}

export interface DrawnPod {
  readonly pod: Drawn;
  /** Made before the pod. */
  readonly with: readonly Drawn[];
}

export const namespaces = ['red', 'blue'] as const;
export const priorityClasses: readonly Drawn[] = [
  { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'low' }, value: 10 },
  { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 1000 },
  { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'polite' }, value: 1000, preemptionPolicy: 'Never' },
];

/** When a pod began to run that was there before, and one that was placed. */
export function startOfPlaced(index: number): string {
  return `2026-01-01T00:00:${String(index).padStart(2, '0')}Z`;
}

export function startOfPod(index: number): string {
  return `2026-01-01T01:00:${String(index).padStart(2, '0')}Z`;
}

export class Dice {
  readonly #stream: RandomStream;

  constructor(stream: RandomStream) {
    this.#stream = stream;
  }

  below(bound: number): number {
    return this.#stream.integer(bound);
  }

  /** True in so many of a hundred cases. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  some<T>(list: readonly T[], percent: number): readonly T[] {
    return list.filter(() => this.chance(percent));
  }
}

const zones = ['z1', 'z2', 'z3'] as const;
const apps = ['a', 'b', 'c'] as const;
const images = ['large:1', 'middle:1', 'small:1'] as const;
const host = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';
const taintKeys = ['dedicated', 'flaky', 'old'] as const;
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

export function drawCluster(seed: number, podCount: number): DrawnCluster {
  const dice = new Dice(new Random(seed).stream('decisions'));
  const nodes = Array.from({ length: 2 + dice.below(9) }, (_, i) => drawNode(dice, i));
  const names = nodes.map(({ metadata }) => metadata.name);
  const volumes = dice.chance(35) ? drawVolumes(dice, names) : undefined;
  const devices = dice.chance(35) ? drawDevices(dice, names) : [];
  const services = dice.some(apps, 25).map((app) => drawService(app));
  const placed = Array.from({ length: dice.below(10) }, (_, i) => placedPod(dice, i, dice.of(names)));
  const budgets = dice.some(apps, 20).map((app) => drawBudget(dice, app));
  const pods = Array.from({ length: podCount }, (_, i) => drawPod(dice, i, names, volumes, devices.length > 0));
  return { seed, objects: [...nodes, ...services, ...(volumes?.objects ?? []), ...devices, ...budgets, ...placed], pods };
}

function drawNode(dice: Dice, index: number): Drawn {
  const name = `n${index}`;
  const labels: Record<string, string> = { [host]: name, disk: dice.of(['ssd', 'hdd']), rank: String(1 + dice.below(5)) };
  if (dice.chance(90)) Object.assign(labels, { [zone]: dice.of(zones), 'topology.kubernetes.io/region': 'r1' });
  const taints = dice.some(taintKeys, 9).map((key) => ({ key, value: dice.of(['x', 'y']), effect: dice.of(effects) }));
  const allocatable = {
    cpu: `${1 + dice.below(6)}`,
    memory: `${1 + dice.below(8)}Gi`,
    pods: String(dice.chance(10) ? 2 + dice.below(3) : 110),
    'ephemeral-storage': `${10 + dice.below(50)}Gi`,
    ...(dice.chance(40) ? { 'example.com/gpu': String(1 + dice.below(4)) } : {}),
  };
  const held = dice.some(images, 35).map((image, i) => ({ names: [image], sizeBytes: (i + 1) * 300 * 1024 * 1024 }));
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: { ...(taints.length > 0 ? { taints } : {}), ...(dice.chance(6) ? { unschedulable: true } : {}) },
    status: { capacity: allocatable, allocatable, images: held, conditions: [{ type: 'Ready', status: 'True', reason: 'x', message: 'x' }] },
  };
}

function drawService(app: string): Drawn {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: `s-${app}`, namespace: 'red' }, spec: { selector: { app }, ports: [{ port: 80 }] } };
}

function drawBudget(dice: Dice, app: string): Drawn {
  const status = { disruptionsAllowed: dice.below(2), currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: `b-${app}`, namespace: dice.of(namespaces) },
    spec: { minAvailable: 1, selector: { matchLabels: { app } } },
    status,
  };
}

function requests(dice: Dice): JsonObject {
  return {
    ...(dice.chance(85) ? { cpu: `${100 + 100 * dice.below(dice.chance(20) ? 40 : 12)}m` } : {}),
    ...(dice.chance(75) ? { memory: `${64 + 64 * dice.below(dice.chance(15) ? 80 : 16)}Mi` } : {}),
    ...(dice.chance(8) ? { 'ephemeral-storage': `${1 + dice.below(20)}Gi` } : {}),
    ...(dice.chance(10) ? { 'example.com/gpu': String(1 + dice.below(2)) } : {}),
  };
}

function container(dice: Dice, name: string): JsonObject {
  const wanted = requests(dice);
  const limits = wanted['example.com/gpu'] === undefined ? {} : { limits: { 'example.com/gpu': wanted['example.com/gpu'] } };
  const ports = dice.chance(10)
    ? [
        {
          containerPort: 80,
          hostPort: 8080 + dice.below(2),
          ...(dice.chance(30) ? { hostIP: '127.0.0.1' } : {}),
          ...(dice.chance(20) ? { protocol: 'UDP' } : {}),
        },
      ]
    : [];
  return {
    name,
    image: dice.chance(40) ? dice.of(images) : 'none:1',
    resources: { requests: wanted, ...limits },
    ...(ports.length > 0 ? { ports } : {}),
  };
}

function labelsOf(dice: Dice): JsonObject {
  return {
    app: dice.of(apps),
    ...(dice.chance(30) ? { tier: dice.of(['front', 'back']) } : {}),
    ...(dice.chance(15) ? { revision: String(dice.below(2)) } : {}),
  };
}

function placedPod(dice: Dice, index: number, node: string): Drawn {
  const spec = { ...specOf(dice, 20), nodeName: node, tolerations: [{ operator: 'Exists' }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: `old-${index}`, namespace: dice.of(namespaces), labels: labelsOf(dice) }, spec };
}

function drawPod(dice: Dice, index: number, nodes: readonly string[], volumes: Volumes | undefined, hasDevices: boolean): DrawnPod {
  const name = `p${index}`;
  const namespace = dice.of(namespaces);
  const made: Drawn[] = [];
  const spec = withChoice(specOf(dice, 100), nodeChoice(dice, nodes)) as Record<string, JsonValue>;
  const claim = volumes !== undefined && dice.chance(45) ? volumes.claim(dice, name, namespace) : undefined;
  if (claim !== undefined) {
    made.push(...claim.objects);
    spec['volumes'] = claim.volumes;
  }
  if (hasDevices && dice.chance(45)) {
    made.push(drawClaim(dice, name, namespace));
    spec['resourceClaims'] = [{ name: 'd', resourceClaimName: `${name}-d` }];
  }
  return { pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels: labelsOf(dice) }, spec }, with: made };
}

/** `share`: how many of a hundred have what only pods that are to be placed are asked for. */
function specOf(dice: Dice, share: number): JsonObject {
  const affinity = { ...podAffinity(dice, 'podAffinity', share), ...podAffinity(dice, 'podAntiAffinity', share) };
  const inits = dice.chance(12) ? [{ ...container(dice, 'init'), ...(dice.chance(40) ? { restartPolicy: 'Always' } : {}), ports: [] }] : [];
  const whole = dice.chance((10 * share) / 100) ? { resources: { requests: { cpu: `${4 + dice.below(3)}00m`, memory: '6Gi' } } } : {};
  const spread = dice.some([0, 1], (13 * share) / 100).map((i) => constraint(dice, i));
  const isWhole = Object.keys(whole).length > 0;
  const containers = Array.from({ length: dice.chance(20) ? 2 : 1 }, (_, i) =>
    isWhole ? { name: `c${i}`, image: 'none:1' } : container(dice, `c${i}`),
  );
  return {
    terminationGracePeriodSeconds: 0,
    containers,
    ...(inits.length > 0 && !isWhole ? { initContainers: inits } : {}),
    ...whole,
    ...(Object.keys(affinity).length > 0 ? { affinity } : {}),
    ...(spread.length > 0 ? { topologySpreadConstraints: spread } : {}),
    ...(dice.chance(30) ? { priorityClassName: dice.of(['low', 'low', 'high', 'polite']) } : {}),
    tolerations: dice
      .some(taintKeys, 35)
      .map((key) => (dice.chance(50) ? { key, operator: 'Exists' } : { key, operator: 'Equal', value: 'x', effect: dice.of(effects) })),
  };
}

function selector(dice: Dice): JsonObject {
  if (dice.chance(20)) return { matchExpressions: [{ key: 'app', operator: dice.of(['In', 'NotIn']), values: [dice.of(apps)] }] };
  return { matchLabels: { app: dice.of(apps) } };
}

function podAffinity(dice: Dice, kind: 'podAffinity' | 'podAntiAffinity', share: number): JsonObject {
  const term = (): JsonObject => ({
    topologyKey: dice.of([host, zone]),
    labelSelector: selector(dice),
    ...(dice.chance(25)
      ? { namespaces: [dice.of(namespaces)] }
      : dice.chance(25)
        ? { namespaceSelector: dice.chance(50) ? {} : { matchLabels: { team: 'x' } } }
        : {}),
  });
  const required = dice.chance((13 * share) / 100) ? [term()] : [];
  const preferred = dice.chance((12 * share) / 100) ? [{ weight: 1 + dice.below(100), podAffinityTerm: term() }] : [];
  if (required.length + preferred.length === 0) return {};
  return {
    [kind]: {
      ...(required.length > 0 ? { requiredDuringSchedulingIgnoredDuringExecution: required } : {}),
      ...(preferred.length > 0 ? { preferredDuringSchedulingIgnoredDuringExecution: preferred } : {}),
    },
  };
}

function constraint(dice: Dice, index: number): JsonObject {
  const whenUnsatisfiable = dice.of(['DoNotSchedule', 'ScheduleAnyway']);
  return {
    maxSkew: 1 + dice.below(2),
    topologyKey: index === 0 ? zone : host,
    whenUnsatisfiable,
    labelSelector: selector(dice),
    ...(whenUnsatisfiable === 'DoNotSchedule' && dice.chance(20) ? { minDomains: 2 + dice.below(2) } : {}),
    ...(dice.chance(20) ? { nodeAffinityPolicy: dice.of(['Honor', 'Ignore']) } : {}),
    ...(dice.chance(20) ? { nodeTaintsPolicy: dice.of(['Honor', 'Ignore']) } : {}),
  };
}

function nodeExpression(dice: Dice): JsonObject {
  const kind = dice.below(5);
  if (kind === 0) return { key: 'rank', operator: dice.of(['Gt', 'Lt']), values: [String(2 + dice.below(3))] };
  if (kind === 1) return { key: zone, operator: dice.of(['Exists', 'DoesNotExist']) };
  if (kind === 2) return { key: zone, operator: dice.of(['In', 'NotIn']), values: [...dice.some(zones, 60), 'z9'] };
  return { key: 'disk', operator: dice.of(['In', 'NotIn']), values: [dice.of(['ssd', 'hdd'])] };
}

function withChoice(spec: JsonObject, choice: JsonObject): JsonObject {
  const affinity = { ...(spec['affinity'] as JsonObject | undefined), ...(choice['affinity'] as JsonObject | undefined) };
  return { ...spec, ...choice, ...(Object.keys(affinity).length > 0 ? { affinity } : {}) };
}

/** What a pod says of nodes. */
function nodeChoice(dice: Dice, nodes: readonly string[]): JsonObject {
  const chosen = dice.chance(10) ? { nodeSelector: { disk: dice.of(['ssd', 'hdd', 'tape']) } } : {};
  const required = dice.chance(14)
    ? [{ matchExpressions: [nodeExpression(dice)] }]
    : dice.chance(5)
      ? [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [dice.of(nodes)] }] }]
      : [];
  const preferred = dice.chance(15) ? [{ weight: 1 + dice.below(100), preference: { matchExpressions: [nodeExpression(dice)] } }] : [];
  if (required.length + preferred.length === 0) return chosen;
  const nodeAffinity = {
    ...(required.length > 0 ? { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: required } } : {}),
    ...(preferred.length > 0 ? { preferredDuringSchedulingIgnoredDuringExecution: preferred } : {}),
  };
  return { ...chosen, affinity: { nodeAffinity } };
}
