/**
 * Publishes the bundle by which pods trust the API server, as the ConfigMap `kube-root-ca.crt` of every namespace. Mirrors
 * pkg/controller/certificates/rootcacertpublisher/publisher.go.
 */
import { deepEqual } from '../../base/equal.ts';
import type { ConfigMap } from '../../api/core/v1/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import type { Informer, InformerEvent } from '../../client/informer.ts';
import { configMaps, namespaces } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { isNamespaceTerminating } from '../lib/pod-control.ts';

const configMapName = 'kube-root-ca.crt';
const descriptionAnnotation = 'kubernetes.io/description';
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. ' +
  'No other usage is guaranteed across distributions of Kubernetes clusters.';

class RootCaPublisher implements Controller {
  readonly #configMaps: Informer<ConfigMap>;
  readonly #data: { readonly 'ca.crt': string };

  constructor(environment: ControllerEnvironment) {
    this.#configMaps = environment.informer(configMaps);
    this.#data = { 'ca.crt': environment.options.rootCaPem };
  }

  async reconcile({ client }: ReconcileContext, key: string): Promise<void> {
    const cached = this.#configMaps.get(key, configMapName);
    if (cached === undefined) {
      const metadata = { name: configMapName, namespace: key, annotations: { [descriptionAnnotation]: description } };
      try {
        await client.create(configMaps, { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: this.#data });
      } catch (error) {
        if (!isNotFound(error) && !isNamespaceTerminating(error)) throw error;
      }
      return;
    }
    if (deepEqual(cached.data, this.#data) && cached.metadata.annotations?.[descriptionAnnotation]) return;
    const annotations = { ...cached.metadata.annotations, [descriptionAnnotation]: description };
    await client.update(configMaps, { ...cached, metadata: { ...cached.metadata, annotations }, data: this.#data });
  }
}

function keysOfConfigMap({ type, object }: InformerEvent<ConfigMap>): readonly string[] {
  return type !== 'add' && object.metadata.name === configMapName ? [object.metadata.namespace ?? ''] : [];
}

export const rootCaCertificatePublisherController = defineController<RootCaPublisher>({
  name: 'root-ca-certificate-publisher-controller',
  aliases: ['root-ca-cert-publisher'],
  serviceAccount: 'root-ca-cert-publisher',
  eventSource: 'root-ca-certificate-publisher-controller',
  canRun: (options) => options.traits.publishesRootCa,
  workers: () => 1,
  watches: [
    watchOf(configMaps, keysOfConfigMap),
    watchOf(namespaces, ({ type, object }) => {
      return type === 'add' || (type === 'update' && object.status?.phase === 'Active') ? [object.metadata.name ?? ''] : [];
    }),
  ],
  create: (environment) => new RootCaPublisher(environment),
});
