/**
 * Publishes the bundle by which clients trust the API server as a ClusterTrustBundle, named by what it holds, and removes older ones.
 * Mirrors pkg/controller/certificates/clustertrustbundlepublisher/publisher.go.
 */
import type { ClusterTrustBundle } from '../../api/certificates/v1beta1/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { assert } from '../../base/assert.ts';
import type { Informer, InformerEvent } from '../../client/informer.ts';
import { resourceType } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';

const name = 'kube-apiserver-serving-clustertrustbundle-publisher-controller';
const signerName = 'kubernetes.io/kube-apiserver-serving';
const key = 'bundle';
const hashLength = 24;
const bundles = resourceType<ClusterTrustBundle>('certificates.k8s.io', 'v1beta1', 'clustertrustbundles', 'ClusterTrustBundle', false);

class TrustBundlePublisher implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #bundles: Informer<ClusterTrustBundle>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#bundles = environment.informer(bundles);
  }

  start(): void {
    this.#environment.enqueue(key, []);
  }

  async reconcile({ client }: ReconcileContext): Promise<void> {
    const { rootCaPem, sha256 } = this.#environment.options;
    assert(sha256, 'somebody computes hashes');
    const bundleName = `${signerName.replaceAll('/', ':')}:${sha256(rootCaPem).slice(0, hashLength)}`;
    const spec = { signerName, trustBundle: rootCaPem };
    const found = this.#bundles.get(undefined, bundleName);
    const shape = { kind: 'ClusterTrustBundle', apiVersion: 'certificates.k8s.io/v1beta1' };
    if (found === undefined) await client.create(bundles, { ...shape, metadata: { name: bundleName }, spec });
    else if (found.spec.trustBundle !== rootCaPem) await client.update(bundles, { ...found, spec });
    for (const { metadata, spec: other } of this.#bundles.list()) {
      if (other.signerName !== signerName || metadata.name === bundleName) continue;
      try {
        await client.delete(bundles, undefined, metadata.name ?? '');
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }
}

export const clusterTrustBundlePublisherController = defineController<TrustBundlePublisher>({
  name,
  aliases: ['kube-apiserver-serving-clustertrustbundle-publisher'],
  gates: ['ClusterTrustBundle'],
  serviceAccount: 'kube-apiserver-serving-clustertrustbundle-publisher',
  rules: [
    { apiGroups: ['certificates.k8s.io'], resources: ['signers'], resourceNames: ['kubernetes.io/kube-apiserver-serving'], verbs: ['attest'] },
    { apiGroups: ['certificates.k8s.io'], resources: ['clustertrustbundles'], verbs: ['create', 'delete', 'list', 'update', 'watch'] },
    { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] },
  ],
  eventSource: name,
  canRun: ({ sha256 }) => sha256 !== undefined,
  workers: () => 1,
  watches: [watchOf(bundles, ({ object }: InformerEvent<ClusterTrustBundle>) => (object.spec.signerName === signerName ? [key] : []))],
  create: (environment) => new TrustBundlePublisher(environment),
});
