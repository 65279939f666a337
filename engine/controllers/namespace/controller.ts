/**
 * Ends a namespace: some seconds after its deletion it deletes all that is in it, again and again until nothing is left, and then
 * takes its own finalizer away. Mirrors pkg/controller/namespace and its deletion package.
 */
import type { Namespace } from '../../api/core/v1/types.gen.ts';
import { isConflict, isNotFound } from '../../apimachinery/errors.ts';
import { formatTime } from '../../apimachinery/time.ts';
import type { Client } from '../../client/client.ts';
import type { Informer, InformerEvent } from '../../client/informer.ts';
import { namespaces } from '../../client/resources.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { parseTime } from '../lib/time.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { failureCondition, mergeConditions, remainingConditions } from './conditions.ts';
import { aggregate, deleteContent, type ContentResult } from './content.ts';

/** Other API servers and stores are given this long to see the deletion. */
const deletionDelayMs = 5_000;
const finalizer = 'kubernetes';

class NamespaceController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #namespaces: Informer<Namespace>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#namespaces = environment.informer(namespaces);
  }

  keysOf({ type, object, causes }: InformerEvent<Namespace>): readonly string[] {
    const { name = '', deletionTimestamp } = object.metadata;
    if (type !== 'delete' && deletionTimestamp !== undefined) this.#environment.enqueueAfter(name, deletionDelayMs, causes);
    return [];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    if (this.#namespaces.get(undefined, key) === undefined) return;
    try {
      const estimateSeconds = await this.#delete(context.client, key);
      if (estimateSeconds > 0) this.#environment.enqueueAfter(key, (Math.floor(estimateSeconds / 2) + 1) * 1000, context.causes);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Seconds until what is left may be gone; 0 when all is done. */
  async #delete(client: Client, name: string): Promise<number> {
    const fresh = await client.get(namespaces, undefined, name);
    if (fresh.metadata.deletionTimestamp === undefined) return 0;
    const terminating = await retryOnConflict(client, fresh, async (namespace) => {
      if (namespace.metadata.deletionTimestamp === undefined || namespace.status?.phase === 'Terminating') return namespace;
      return client.updateStatus(namespaces, { ...namespace, status: { ...namespace.status, phase: 'Terminating' } });
    });
    if (terminating.metadata.deletionTimestamp === undefined) return 0;
    const { deletesEmptiedNamespaces } = this.#environment.options.traits;
    const isEmptied = ({ spec }: Namespace): boolean => (spec?.finalizers ?? []).length === 0;
    const deleteEmptied = async ({ metadata: { uid = '' } }: Namespace): Promise<void> =>
      deletesEmptiedNamespaces ? client.delete(namespaces, undefined, name, { preconditions: { uid } }) : undefined;
    if (isEmptied(terminating)) {
      await deleteEmptied(terminating);
      return 0;
    }
    const deletedForMs = this.#environment.nowMs() - (parseTime(terminating.metadata.deletionTimestamp) ?? 0);
    const result = await deleteContent(
      client,
      this.#environment.deletableResources(),
      name,
      deletedForMs,
      this.#environment.options.traits.emptiesPodsFirst,
    );
    await this.#writeConditions(client, terminating, result);
    if (result.errors.length > 0) throw aggregate(result.errors);
    if (result.estimateSeconds > 0) return result.estimateSeconds;
    const finalized = await retryOnConflict(client, terminating, (namespace) => {
      const { kind, apiVersion, metadata, spec } = namespace;
      const { finalizers = [], ...rest } = spec ?? {};
      const left = finalizers.filter((other) => other !== finalizer).toSorted();
      return client.update(
        namespaces,
        { kind, apiVersion, metadata, spec: left.length > 0 ? { ...rest, finalizers: left } : rest },
        { subresource: 'finalize' },
      );
    });
    if (isEmptied(finalized)) await deleteEmptied(finalized);
    return 0;
  }

  /** A failure to write them is left to the next round. */
  async #writeConditions(client: Client, namespace: Namespace, result: ContentResult): Promise<void> {
    const failure = failureCondition(result.failures);
    const failing = [...(failure === undefined ? [] : [failure]), ...(result.podsFirst ? [] : remainingConditions(result))];
    const conditions = mergeConditions(namespace.status?.conditions ?? [], failing, formatTime(this.#environment.nowMs()));
    if (conditions === undefined) return;
    try {
      await client.updateStatus(namespaces, { ...namespace, status: { ...namespace.status, conditions } });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
    }
  }
}

async function retryOnConflict(client: Client, namespace: Namespace, write: (namespace: Namespace) => Promise<Namespace>): Promise<Namespace> {
  for (let latest = namespace; ; ) {
    try {
      return await write(latest);
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    const fresh = await client.get(namespaces, undefined, latest.metadata.name ?? '');
    if (fresh.metadata.uid !== latest.metadata.uid) throw new RetryError('namespace uid has changed across retries');
    latest = fresh;
  }
}

export const namespaceController = defineController<NamespaceController>({
  name: 'namespace-controller',
  aliases: ['namespace'],
  clientShare: { qps: 20, burst: 100 },
  serviceAccount: 'namespace-controller',
  eventSource: 'namespace-controller',
  workers: (options) => options.concurrentNamespaceSyncs,
  backoff: { baseMs: 5, maxMs: 60_000 },
  watches: [watchOf(namespaces, (event, controller: NamespaceController) => controller.keysOf(event))],
  create: (environment) => new NamespaceController(environment),
});
