/** The laws of the simulation besides its machines: faults and scenario runs, put together, and the roles that they bring. */
import type { FaultPoints } from '../base/fault-points.ts';
import type { Random } from '../base/random.ts';
import type { Component, TaskLoop } from '../base/task-loop.ts';
import type { PolicyRule } from '../api/rbac/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { CloudProvider } from '../contracts/cloud.ts';
import type { Identity } from '../contracts/request.ts';
import type { JsonObject } from '../base/json.ts';
import type { ResourceType } from '../client/client.ts';
import { controllers } from '../controllers/index.gen.ts';
import type { FeatureGates } from '../releases/feature-gates.ts';
import { hasGates } from './chosen-controllers.ts';
import { ControllerRunner } from '../controller-runtime/runner.ts';
import { attacher } from '../csi/attacher.ts';
import { type CsiOptions, csiRules } from '../csi/driver.ts';
import { provisioner } from '../csi/provisioner.ts';
import { resizer } from '../csi/resizer.ts';
import { snapshotController } from '../csi/snapshot-controller.ts';
import { snapshotter } from '../csi/snapshotter.ts';
import { faultsController, type FaultsOptions } from '../faults/controller.ts';
import { kwokController, kwokRules, type KwokOptions } from '../kwok/controller.ts';
import { machinesRules } from '../nodes/nodepool.ts';
import { createScenarioRunner, scenariosRules } from '../scenarios/runner.ts';
import { faultSettings } from './component-options.ts';
import { csiIdentity, faultsIdentity, kwokIdentity, machinesIdentity, scenariosIdentity, userIdentity } from './identities.ts';
import type { Settings } from './settings.ts';
import type { Wiring } from './wiring.ts';

const apiGroup = 'rbac.authorization.k8s.io';

export interface SimulationOptions {
  readonly loop: TaskLoop;
  readonly random: Random;
  readonly wiring: Wiring;
  readonly settings: Settings;
  readonly points: FaultPoints;
  readonly leavesOwnRuns: boolean;
  machines(): readonly string[];
  /** Its disks are those of the CSI driver. */
  readonly cloud: CloudProvider | undefined;
  digest(): string;
  deletableResources(): readonly ResourceType[];
  log(line: string): void;
}

/** In the order of their ranks; the runner of faults has registered itself. */
export function createSimulation({ loop, random, wiring, settings, points, leavesOwnRuns, ...options }: SimulationOptions): readonly Component[] {
  const client = wiring.client(faultsIdentity, 'faults', 'wavetank-faults');
  const faults = new ControllerRunner<FaultsOptions>({
    definition: faultsController,
    loop,
    client,
    informers: wiring.informers(faultsIdentity, 'faults', 'wavetank-faults'),
    recorder: wiring.recorder(client, faultsController.eventSource),
    random: random.stream('faults'),
    options: { points, settings: faultSettings(settings), machines: () => options.machines() },
    deletableResources: () => [],
    onError: (_name, key, error) => options.log(`faults: ${key}: ${error.message}`),
  });
  const scenarios = createScenarioRunner({
    loop,
    client: wiring.client(scenariosIdentity, 'scenarios', 'wavetank-scenario'),
    informers: wiring.informers(scenariosIdentity, 'scenarios', 'wavetank-scenario'),
    leavesOwnRuns,
    digest: () => options.digest(),
  });
  loop.register(scenarios);
  const log = (line: string): void => options.log(line);
  const kwok = createKwok({ loop, random, wiring, log, deletableResources: () => options.deletableResources() });
  return [faults, scenarios, ...createCsiDriver({ loop, random, wiring, points, cloud: options.cloud, log }), kwok];
}

function createKwok({
  loop,
  random,
  wiring,
  log,
  deletableResources,
}: Pick<SimulationOptions, 'loop' | 'random' | 'wiring' | 'log' | 'deletableResources'>): Component {
  const client = wiring.client(kwokIdentity, 'kwok', 'kwok');
  const informers = wiring.informers(kwokIdentity, 'kwok', 'kwok');
  return new ControllerRunner<KwokOptions>({
    definition: kwokController,
    loop,
    client,
    informers,
    recorder: wiring.recorder(client, kwokController.eventSource),
    random: random.stream('kwok'),
    options: {
      restoreInformer: (type) => informers.restoreInformer(type),
      clientAs: (user) => wiring.client(userIdentity(user), 'kwok', 'kwok'),
    },
    deletableResources,
    onError: (_name, key, error) => log(`kwok: ${key}: ${error.message}`),
  });
}

type DriverOptions = Pick<SimulationOptions, 'loop' | 'random' | 'wiring' | 'points' | 'cloud' | 'log'>;

/** The sidecars of the driver are one process. */
function createCsiDriver({ loop, random, wiring, points, cloud, log }: DriverOptions): readonly Component[] {
  const component = 'csi';
  const informers = wiring.informers(csiIdentity, component, 'wavetank-csi');
  return [provisioner, attacher, resizer, snapshotController, snapshotter].map((definition) => {
    const client = wiring.client(csiIdentity, component, 'wavetank-csi');
    return new ControllerRunner<CsiOptions>({
      definition,
      loop,
      client,
      informers,
      recorder: wiring.recorder(client, definition.eventSource),
      random: random.stream(`csi/${definition.name}`),
      options: { points, ...(cloud === undefined ? {} : { cloud }) },
      deletableResources: () => [],
      onError: (name, key, error) => log(`csi ${name}: ${key}: ${error.message}`),
    });
  });
}

/** Roles of components beyond upstream's, whose files say what they may do, and their bindings. */
export function simulationRoles(features: FeatureGates): readonly KubeObject[] {
  const gated = controllers.filter((controller) => controller.rules !== undefined && hasGates(controller, features));
  const added = controllers.flatMap(({ serviceAccount = '', gatedRules }) =>
    gatedRules !== undefined && features.enabled(gatedRules.gate) ? [{ serviceAccount, ...gatedRules }] : [],
  );
  return [
    ...added.flatMap(({ serviceAccount, gate, rules }) => roleOfAccount(serviceAccount, rules, `:${gate}`)),
    ...gated.flatMap(({ serviceAccount = '', rules = [] }) => roleOfAccount(serviceAccount, rules)),
    ...roleOf(machinesIdentity, machinesRules),
    ...roleOf(faultsIdentity, faultsController.rules ?? []),
    ...roleOf(scenariosIdentity, scenariosRules),
    ...roleOf(csiIdentity, csiRules),
    ...roleOf(kwokIdentity, kwokRules),
  ];
}

function roleOf({ name }: Identity, rules: readonly PolicyRule[]): readonly KubeObject[] {
  return roleAndBinding(name, rules, { apiGroup, kind: 'User', name });
}

/** As upstream's policy has them for controllers of gates that are on. */
function roleOfAccount(account: string, rules: readonly PolicyRule[], part = ''): readonly KubeObject[] {
  return roleAndBinding(`system:controller:${account}${part}`, rules, { kind: 'ServiceAccount', name: account, namespace: 'kube-system' });
}

function roleAndBinding(name: string, rules: readonly PolicyRule[], subject: JsonObject): readonly KubeObject[] {
  const apiVersion = `${apiGroup}/v1`;
  const role = { apiVersion, kind: 'ClusterRole', metadata: { name }, rules };
  const binding = {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name },
    subjects: [subject],
  };
  return [role, binding];
}
