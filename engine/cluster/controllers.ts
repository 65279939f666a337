/** The controllers of a cluster, each with its identity, client and limiter, and those that work inside its API server. */
import { availabilityController, type AvailabilityOptions } from '../aggregation/availability-controller.ts';
import { registrationController, type RegistrationOptions } from '../aggregation/registration-controller.ts';
import { type DefinitionsOptions, definitionsController } from '../apiextensions/definitions-controller.ts';
import type { Random } from '../base/random.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import { byKubeVersion } from '../apimachinery/kube-version.ts';
import { StatusError } from '../apimachinery/status.ts';
import { resourceType } from '../client/resources.ts';
import type { ResourceType } from '../client/client.ts';
import type { CloudProvider } from '../contracts/cloud.ts';
import type { Release } from '../contracts/release.ts';
import { type Controller, type ControllerDefinition, eventSourceOf, type ServedTypes } from '../controller-runtime/controller.ts';
import { ControllerRunner } from '../controller-runtime/runner.ts';
import type { ControllerOptions } from '../controllers/controller.ts';
import type { ControllerHost } from '../controllers/options/family.ts';
import type { FeatureGates } from '../releases/feature-gates.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import { mountsTokenSecrets } from './admission-order.ts';
import { chooseControllers } from './chosen-controllers.ts';
import type { ClusterHost } from './cluster-host.ts';
import { clientLimits } from './component-options.ts';
import { flowControlConfig, type FlowControlConfigOptions } from './flow-control-config.ts';
import { flowControlObjects } from './flow-control-objects.ts';
import { apiServerAddress } from './bootstrap-objects.ts';
import { identityLease, type IdentityLeaseOptions, serverName } from './identity-lease.ts';
import { apiServerIdentity, controllerIdentity, controllerManagerIdentity } from './identities.ts';
import { serviceAddresses } from './service-addresses.ts';
import type { Settings } from './settings.ts';
import type { Wiring } from './wiring.ts';

export interface ControllersOptions {
  readonly loop: TaskLoop;
  readonly random: Random;
  readonly wiring: Wiring;
  readonly settings: Settings;
  readonly release: Release;
  readonly registry: ResourceRegistry;
  readonly host: ClusterHost;
  readonly cloud: CloudProvider | undefined;
  readonly types: ServedTypes;
  /** Versions of groups that others serve; see ControllerEnvironment. */
  readonly versionsOf: (group: string) => readonly string[] | undefined;
  readonly hasSubresource: (type: ResourceType, name: string) => boolean;
}

/** Those of the controller manager that are enabled and can run. */
export function createControllers(cluster: ControllersOptions): readonly ControllerRunner<ControllerOptions>[] {
  const { loop, random, wiring, settings, release, host } = cluster;
  const { options, definitions } = chooseControllers(settings, release, controllerHost(cluster));
  const informers = wiring.informers(controllerManagerIdentity, 'kube-controller-manager', 'kube-controller-manager');
  return definitions.map((definition) => {
    const component = `controller/${definition.name}`;
    const identity = definition.serviceAccount === undefined ? controllerManagerIdentity : controllerIdentity(definition.serviceAccount);
    const limiter = wiring.limiter(component, ...clientLimits(settings, '', definition.clientShare));
    return new ControllerRunner({
      definition,
      loop,
      client: wiring.client(identity, component, 'kube-controller-manager', limiter),
      limiter,
      informers,
      recorder: wiring.recorder(wiring.client(identity, component, 'kube-controller-manager'), eventSourceOf(definition, options)),
      random: random.stream(component),
      options,
      deletableResources: () => deletableResources(cluster.registry),
      types: cluster.types,
      versionsOf: async (group) => versionsHere(cluster.registry, group) ?? cluster.versionsOf(group),
      hasSubresource: async (type, name) => cluster.hasSubresource(type, name),
      onError: (controller, key, error) =>
        host.log?.(`${controller}: ${key}: ${error instanceof StatusError ? error.status.message : error.message}`),
    });
  });
}

function controllerHost({ release, settings, host, cloud }: ControllersOptions): ControllerHost {
  const { rootCaPem, signSecretToken: sign, certificates, hmac } = host;
  return {
    rootCaPem,
    sha256: (text) => host.hash(text),
    ...(cloud && { cloud }),
    ...(certificates && { certificates }),
    ...(hmac && { hmacSha256: hmac }),
    ...(sign && { tokenSecrets: { sign, forEveryAccount: mountsTokenSecrets(release, settings) } }),
  };
}

/** Keeps the objects of priority and fairness; undefined where the release has none. */
export function createFlowControlConfig(cluster: ControllersOptions, startMs: number): ControllerRunner<FlowControlConfigOptions> | undefined {
  const { release, settings } = cluster;
  if (release.suggestedFlowControl === undefined) return undefined;
  const isOn = settings.boolean('enable-priority-and-fairness');
  return inServer(cluster, flowControlConfig, { objects: flowControlObjects(release), startMs, isOn }, 'apiserver');
}

/** Writes the addresses of Services as objects; undefined where they are none. */
export function createServiceAddresses(cluster: ControllersOptions, gates: FeatureGates): ControllerRunner<null> | undefined {
  return gates.enabled('MultiCIDRServiceAllocator') ? inServer(cluster, serviceAddresses, null) : undefined;
}

/** Says that this API server runs; undefined where none says so. */
export function createIdentityLease(cluster: ControllersOptions, gates: FeatureGates): ControllerRunner<IdentityLeaseOptions> | undefined {
  if (!gates.enabled('APIServerIdentity')) return undefined;
  const isPeer = gates.enabled('UnknownVersionInteroperabilityProxy');
  const peerAddress = isPeer ? apiServerAddress(cluster.settings.text('service-cluster-ip-range')) : undefined;
  return inServer(cluster, identityLease, { name: serverName((text) => cluster.host.hash(text)), peerAddress });
}

/** Brings definitions of custom kinds to be served. */
export function createDefinitions(cluster: ControllersOptions): ControllerRunner<DefinitionsOptions> {
  return inServer<DefinitionsOptions>(cluster, definitionsController, {
    certificates: cluster.host.certificateJudge,
    traits: cluster.release.controllers,
  });
}

/** Says which servers of other APIs answer. */
export function createAvailability(cluster: ControllersOptions, options: AvailabilityOptions): ControllerRunner<AvailabilityOptions> {
  return inServer(cluster, availabilityController, options);
}

/** Keeps APIServices of what is served here. */
export function createRegistration(cluster: ControllersOptions, builtIn: RegistrationOptions['builtIn']): ControllerRunner<RegistrationOptions> {
  return inServer(cluster, registrationController, { builtIn });
}

/** Custom kinds may be of any group. */
function versionsHere(registry: ResourceRegistry, group: string): readonly string[] | undefined {
  const versions = new Set(registry.table.list().flatMap(({ kind }) => (kind.group === group ? [kind.version] : [])));
  return versions.size === 0 ? undefined : [...versions].sort(byKubeVersion);
}

function inServer<O>(
  { loop, random, wiring, host }: ControllersOptions,
  definition: ControllerDefinition<Controller, O>,
  options: O,
  informers?: string,
): ControllerRunner<O> {
  const component = definition.component ?? '';
  const client = wiring.client(apiServerIdentity, component, 'kube-apiserver');
  return new ControllerRunner<O>({
    definition,
    loop,
    client,
    informers: wiring.informers(apiServerIdentity, informers ?? component, 'kube-apiserver'),
    recorder: wiring.recorder(client, eventSourceOf(definition, options)),
    random: random.stream(component),
    options,
    deletableResources: () => [],
    onError: (controller, key, error) => host.log?.(`${controller}: ${key}: ${error.message}`),
  });
}

/** What the garbage collector and the namespace controller can list, watch and delete. */
export function deletableResources(registry: ResourceRegistry): readonly ResourceType[] {
  return registry.table
    .list()
    .filter(({ kind, verbs }) => kind.storage === undefined && verbs.includes('list') && verbs.includes('watch') && verbs.includes('delete'))
    .map(({ kind }) => resourceType(kind.group, kind.version, kind.plural, kind.kind, kind.namespaced));
}
