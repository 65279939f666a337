/** Makes sure that every active namespace has the service account `default`. Mirrors pkg/controller/serviceaccount/serviceaccounts_controller.go. */
import type { Namespace, ServiceAccount } from '../../api/core/v1/types.gen.ts';
import { isAlreadyExists } from '../../apimachinery/errors.ts';
import type { Informer } from '../../client/informer.ts';
import { namespaces, serviceAccounts } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { isNamespaceTerminating } from '../lib/pod-control.ts';

class ServiceAccountController implements Controller {
  readonly #namespaces: Informer<Namespace>;
  readonly #accounts: Informer<ServiceAccount>;

  constructor(environment: ControllerEnvironment) {
    this.#namespaces = environment.informer(namespaces);
    this.#accounts = environment.informer(serviceAccounts);
  }

  async reconcile({ client }: ReconcileContext, key: string): Promise<void> {
    if (this.#namespaces.get(undefined, key)?.status?.phase !== 'Active') return;
    if (this.#accounts.get(key, 'default') !== undefined) return;
    try {
      await client.create(serviceAccounts, { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'default', namespace: key } });
    } catch (error) {
      if (!isAlreadyExists(error) && !isNamespaceTerminating(error)) throw error;
    }
  }
}

export const serviceAccountController = defineController<ServiceAccountController>({
  name: 'serviceaccount-controller',
  aliases: ['serviceaccount'],
  serviceAccount: 'service-account-controller',
  eventSource: 'serviceaccount-controller',
  workers: (options) => options.concurrentServiceAccountSyncs,
  watches: [
    watchOf(namespaces, ({ type, object }) => (type === 'delete' ? [] : [object.metadata.name ?? ''])),
    watchOf(serviceAccounts, ({ type, object }) => (type === 'delete' ? [object.metadata.namespace ?? ''] : [])),
  ],
  create: (environment) => new ServiceAccountController(environment),
});
