/** Nodes and zones that fail, nodes that are taken away. */
import { faults } from '../../../engine/faults/index.gen.ts';
import type { Node } from '../../../engine/api/core/v1/types.gen.ts';
import { anyNode, any, anyOf, ask, core, merge, named, pathOf, pick, sim, type Swarm, type Theme } from '../draw.ts';

export const outages: Theme = {
  name: 'outages',
  begin: (swarm) => (swarm.below(2) === 0 ? zoneOutage(swarm) : mostOfAZone(swarm)),
  acts: [
    (swarm) => fault(swarm),
    (swarm) => fault(swarm),
    zoneOutage,
    severalNodes,
    severalNodes,
    mostOfAZone,
    resizePool,
    (swarm) => ask(swarm, 'DELETE', any(swarm, sim, 'faults', 'sim.wavetank.dev/faults')),
    (swarm) => ask(swarm, 'PATCH', `${core}/nodes/${anyNode(swarm)}`, { spec: { unschedulable: swarm.below(2) === 0 } }, merge),
    (swarm) => (swarm.below(3) === 0 ? ask(swarm, 'DELETE', `${core}/nodes/${anyNode(swarm)}`) : undefined),
  ],
};

function fault(swarm: Swarm): void {
  const definition = pick(swarm, faults);
  const target = definition.target === 'nodes' ? pick<object>(swarm, [{ node: anyNode(swarm) }, { zone: pick(swarm, zones) }]) : {};
  begin(swarm, definition.name, target, 10 + swarm.below(200));
}

function zoneOutage(swarm: Swarm): void {
  begin(swarm, pick(swarm, nodeFaults), { zone: pick(swarm, zones) }, 150 + swarm.below(400));
}

/** Enough of a zone at once that its rate of eviction drops. */
function severalNodes(swarm: Swarm): void {
  const seconds = 200 + swarm.below(500);
  for (let i = 0; i < 3; i++) begin(swarm, pick(swarm, nodeFaults), { node: anyNode(swarm) }, seconds);
}

/** All but one node of a zone: its rate of eviction drops, or it evicts nobody at all. */
function mostOfAZone(swarm: Swarm): void {
  const zone = pick(swarm, zones);
  const nodes = swarm.world.all<Node>('minions').filter(({ metadata }) => metadata.labels?.['topology.kubernetes.io/zone'] === zone);
  const seconds = 250 + swarm.below(300);
  for (const { metadata } of nodes.slice(1)) begin(swarm, 'node-power-loss', { node: metadata.name }, seconds, 'most-of-a-zone-');
}

/** The last nodes go with their machines, or come again: their pods are nobody's. */
function resizePool(swarm: Swarm): void {
  const pool = anyOf(swarm, 'sim.wavetank.dev/nodepools');
  if (pool !== undefined) ask(swarm, 'PATCH', pathOf(sim, 'nodepools', pool), { spec: { count: 4 + swarm.below(7) } }, merge);
}

const zones = ['sim-a', 'sim-b'];
const nodeFaults = ['node-power-loss', 'node-partition'];

/** They strike components only: the swarm's own clients judge what they are answered. */
const pickyFaults: ReadonlySet<string> = new Set(faults.filter(({ parameters }) => 'user' in parameters).map(({ name }) => name));

/** Without a prefix its name may be taken: not everything that is asked for happens. */
function begin(swarm: Swarm, type: string, target: object, seconds: number, generateName?: string): void {
  const metadata = generateName === undefined ? { name: named(swarm, 'fault') } : { generateName };
  ask(swarm, 'POST', `${sim}/faults`, {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'Fault',
    metadata,
    spec: { type, target, duration: `${seconds}s`, ...(pickyFaults.has(type) ? { parameters: { user: 'system:' } } : {}) },
  });
}
