/** Nodes and zones that fail, nodes that are taken away. */
import { faults } from '../../../engine/faults/index.gen.ts';
import { anyNode, any, ask, core, merge, named, pick, sim, type Swarm, type Theme } from '../draw.ts';

export const outages: Theme = {
  name: 'outages',
  begin: zoneOutage,
  acts: [
    (swarm) => fault(swarm),
    (swarm) => fault(swarm),
    zoneOutage,
    severalNodes,
    severalNodes,
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

const zones = ['sim-a', 'sim-b'];
const nodeFaults = ['node-power-loss', 'node-partition'];

function begin(swarm: Swarm, type: string, target: object, seconds: number): void {
  const metadata = { name: named(swarm, 'fault') };
  ask(swarm, 'POST', `${sim}/faults`, {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'Fault',
    metadata,
    spec: { type, target, duration: `${seconds}s` },
  });
}
