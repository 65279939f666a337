/** Devices of nodes and claims for them. */
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import type { Dice, Drawn } from './draw.ts';

const driver = 'gpu.example.com';
const apiVersion = 'resource.k8s.io/v1';

export function drawDevices(dice: Dice, nodes: readonly string[]): readonly Drawn[] {
  const classes: readonly Drawn[] = [
    { apiVersion, kind: 'DeviceClass', metadata: { name: 'gpu' }, spec: { selectors: [{ cel: { expression: `device.driver == "${driver}"` } }] } },
    {
      apiVersion,
      kind: 'DeviceClass',
      metadata: { name: 'fast' },
      spec: { selectors: [{ cel: { expression: `device.driver == "${driver}" && device.attributes["${driver}"].speed > 1` } }] },
    },
  ];
  const slices = dice.some(nodes, 60).map((node): Drawn => {
    const devices = Array.from({ length: 1 + dice.below(4) }, (_, i) => device(dice, i));
    const pool = { name: node, generation: 1, resourceSliceCount: dice.chance(5) ? 2 : 1 };
    return { apiVersion, kind: 'ResourceSlice', metadata: { name: `slice-${node}` }, spec: { driver, pool, nodeName: node, devices } };
  });
  return [...classes, ...slices];
}

function device(dice: Dice, index: number): JsonObject {
  return {
    name: `g${index}`,
    attributes: { speed: { int: dice.below(4) }, model: { string: dice.of(['x', 'y']) }, firmware: { version: dice.of(['1.0.0', '1.2.0']) } },
    capacity: { memory: { value: dice.of(['10Gi', '40Gi']) } },
    ...(dice.chance(12) ? { taints: [{ key: 'worn', value: 'yes', effect: dice.of(['NoSchedule', 'NoExecute']) }] } : {}),
  };
}

const expressions: readonly string[] = [
  `device.attributes["${driver}"].model == "x"`,
  `device.attributes["${driver}"].speed >= 1 && device.attributes["${driver}"].speed < 3`,
  `device.capacity["${driver}"].memory.compareTo(quantity("20Gi")) >= 0`,
  `device.attributes["${driver}"].firmware.isGreaterThan(semver("1.1.0"))`,
  `cel.bind(gpu, device.attributes["${driver}"], gpu.speed > 0 || gpu.model == "y")`,
  `has(device.attributes["${driver}"].nothing) || device.driver.startsWith("gpu")`,
];

function exactly(dice: Dice): JsonObject {
  const mode = dice.chance(12) ? { allocationMode: 'All' } : { allocationMode: 'ExactCount', count: 1 + (dice.chance(25) ? dice.below(3) : 0) };
  return {
    deviceClassName: dice.chance(4) ? 'nothing' : dice.of(['gpu', 'gpu', 'fast']),
    ...mode,
    ...(dice.chance(45)
      ? { selectors: [{ cel: { expression: dice.chance(4) ? `device.attributes["${driver}"].nothing == 1` : dice.of(expressions) } }] }
      : {}),
    ...(dice.chance(15) ? { tolerations: [{ key: 'worn', operator: 'Exists' }] } : {}),
  };
}

export function drawClaim(dice: Dice, pod: string, namespace: string): Drawn {
  const request = (name: string): JsonValue =>
    dice.chance(20)
      ? {
          name,
          firstAvailable: [
            { name: 'best', ...exactly(dice) },
            { name: 'good', ...exactly(dice) },
          ],
        }
      : { name, exactly: exactly(dice) };
  const requests = dice.chance(20) ? [request('r'), request('s')] : [request('r')];
  const constraints = dice.chance(15) ? { constraints: [{ requests: ['r'], matchAttribute: `${driver}/model` }] } : {};
  return { apiVersion, kind: 'ResourceClaim', metadata: { name: `${pod}-d`, namespace }, spec: { devices: { requests, ...constraints } } };
}
