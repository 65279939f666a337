/**
 * Keeps APIServices of what is served here, in the API server's name: those of what is built in are made once, those of definitions are made
 * again, put right and taken away as the definitions say. Mirrors kube-aggregator pkg/controllers/autoregister/autoregister_controller.go and
 * kubernetes pkg/controlplane/controller/crdregistration. A simulated server never starts a second time, so what it finds `onstart` it leaves.
 */
import type { APIService } from '../api/apiregistration/v1/types.gen.ts';
import type { CustomResourceDefinition } from '../api/apiextensions/v1/types.gen.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../apimachinery/errors.ts';
import { deepEqual } from '../base/equal.ts';
import type { Client } from '../client/client.ts';
import type { Informer } from '../client/informer.ts';
import { resourceType } from '../client/resources.ts';
import { automanagedLabel } from '../component-helpers/local-api-service.ts';
import { checkController, type Controller, type ControllerEnvironment, type ReconcileContext, watchOf } from '../controller-runtime/controller.ts';
import { apiServiceType } from './availability-controller.ts';

const definitionType = resourceType<CustomResourceDefinition>(
  'apiextensions.k8s.io',
  'v1',
  'customresourcedefinitions',
  'CustomResourceDefinition',
  false,
);
const customPriorities = { groupPriorityMinimum: 1000, versionPriority: 100 };

export interface RegistrationOptions {
  /** As they are made. */
  readonly builtIn: () => readonly APIService[];
}

class RegistrationController implements Controller {
  readonly #environment: ControllerEnvironment<RegistrationOptions>;
  readonly #apiServices: Informer<APIService>;
  readonly #definitions: Informer<CustomResourceDefinition>;
  /** Names of what is built in that has been made or found: it is not made again. */
  readonly #synced: Set<string>;
  #builtIn: ReadonlyMap<string, APIService> | undefined;

  constructor(environment: ControllerEnvironment<RegistrationOptions>) {
    this.#environment = environment;
    this.#apiServices = environment.informer(apiServiceType);
    this.#definitions = environment.informer(definitionType);
    this.#synced = environment.slots.set('synced');
  }

  start(): void {
    for (const name of this.#ofServer().keys()) this.#environment.enqueue(name, []);
  }

  async reconcile({ client }: ReconcileContext, name: string): Promise<void> {
    try {
      await this.#sync(client, name);
    } catch (error) {
      // Made, changed or gone meanwhile: the event of that comes.
      if (!isAlreadyExists(error) && !isConflict(error) && !isNotFound(error)) throw error;
    }
    if (this.#ofServer().has(name)) this.#synced.add(name);
  }

  async #sync(client: Client, name: string): Promise<void> {
    const builtIn = this.#ofServer().get(name);
    if (builtIn !== undefined && this.#synced.has(name)) return;
    const desired = builtIn ?? this.#ofDefinition(name);
    const current = this.#apiServices.get(undefined, name);
    if (current === undefined) {
      if (desired !== undefined) await client.create(apiServiceType, desired);
      return;
    }
    if (current.metadata.labels?.[automanagedLabel] !== 'true') return;
    if (desired === undefined) await client.delete(apiServiceType, undefined, name, { preconditions: { uid: current.metadata.uid ?? '' } });
    else if (!deepEqual(current.spec, desired.spec)) await client.update(apiServiceType, { ...current, spec: desired.spec } as APIService);
  }

  #ofServer(): ReadonlyMap<string, APIService> {
    this.#builtIn ??= new Map(this.#environment.options.builtIn().map((one) => [one.metadata.name ?? '', one]));
    return this.#builtIn;
  }

  #ofDefinition(name: string): APIService | undefined {
    const found = this.#definitions.list().find((definition) => namesOf(definition, true).includes(name));
    if (found === undefined) return undefined;
    const { group } = found.spec;
    return {
      apiVersion: `${apiServiceType.group}/${apiServiceType.version}`,
      kind: apiServiceType.kind,
      metadata: { name, labels: { [automanagedLabel]: 'true' } },
      spec: { group, version: name.slice(0, -group.length - 1), ...customPriorities },
    };
  }
}

/** Of the APIServices of its versions. */
function namesOf({ spec }: CustomResourceDefinition, isServed = false): readonly string[] {
  return (spec.versions ?? []).filter(({ served }) => served || !isServed).map(({ name }) => `${name}.${spec.group}`);
}

export const registrationController = checkController<RegistrationController, RegistrationOptions>({
  name: 'apiservice-registration',
  component: 'apiserver/apiservice-registration',
  aliases: [],
  serviceAccount: 'apiserver',
  eventSource: 'autoregister',
  workers: () => 5,
  watches: [
    watchOf<APIService, RegistrationController>(apiServiceType, ({ object }) => [object.metadata.name ?? '']),
    watchOf<CustomResourceDefinition, RegistrationController>(definitionType, (event) => [
      ...(event.type === 'update' ? namesOf(event.old) : []),
      ...namesOf(event.object),
    ]),
  ],
  create: (environment) => new RegistrationController(environment),
});
