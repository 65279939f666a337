/** Deletes bootstrap tokens whose time is over. Off by default. Mirrors pkg/controller/bootstrap/tokencleaner.go. */
import type { Secret } from '../../api/core/v1/types.gen.ts';
import { isConflict, isNotFound } from '../../apimachinery/errors.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { secrets } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { isBootstrapToken, timeLeftMs } from '../lib/bootstrap-tokens.ts';

class TokenCleaner implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #secrets: Informer<Secret>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#secrets = environment.informer(secrets);
  }

  async reconcile({ client, causes }: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const secret = this.#secrets.get(namespace, name);
    if (secret === undefined || !isBootstrapToken(secret)) return;
    const leftMs = timeLeftMs(secret, this.#environment.nowMs());
    if (leftMs === undefined) return;
    if (leftMs > 0) {
      if (this.#environment.options.traits.timesTokenEnds) this.#environment.enqueueAfter(key, leftMs, causes);
      return;
    }
    const { uid = '' } = secret.metadata;
    try {
      await client.delete(secrets, namespace, name, { preconditions: { uid } });
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }
}

export const tokenCleanerController = defineController<TokenCleaner>({
  name: 'token-cleaner-controller',
  aliases: ['tokencleaner'],
  onByDefault: false,
  serviceAccount: 'token-cleaner',
  eventSource: 'token-cleaner-controller',
  workers: () => 1,
  watches: [watchOf(secrets, ({ type, object }: InformerEvent<Secret>) => (type !== 'delete' && isBootstrapToken(object) ? [keyOf(object)] : []))],
  create: (environment) => new TokenCleaner(environment),
});
