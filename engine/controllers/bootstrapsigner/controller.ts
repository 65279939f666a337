/**
 * Signs the kubeconfig in the ConfigMap `cluster-info` of kube-public with every bootstrap token that may, so that a joining node can
 * tell it from a forged one. Off by default. Mirrors pkg/controller/bootstrap/bootstrapsigner.go.
 */
import type { ConfigMap, Secret } from '../../api/core/v1/types.gen.ts';
import { isConflict, isNotFound } from '../../apimachinery/errors.ts';
import { assert } from '../../base/assert.ts';
import { asBase64Url, encodeBase64 } from '../../base/base64.ts';
import { deepEqual } from '../../base/equal.ts';
import type { Informer, InformerEvent } from '../../client/informer.ts';
import { configMaps, secrets } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { isBootstrapToken, signingToken } from '../lib/bootstrap-tokens.ts';
import { sortedMap } from '../../component-helpers/meta.ts';

const namespace = 'kube-public';
const configMapName = 'cluster-info';
const key = `${namespace}/${configMapName}`;
const signaturePrefix = 'jws-kubeconfig-';

class BootstrapSigner implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #configMaps: Informer<ConfigMap>;
  readonly #secrets: Informer<Secret>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#configMaps = environment.informer(configMaps);
    this.#secrets = environment.informer(secrets);
  }

  async reconcile({ client }: ReconcileContext): Promise<void> {
    const found = this.#configMaps.get(namespace, configMapName);
    const content = found?.data?.['kubeconfig'];
    if (found === undefined || content === undefined) return;
    const kept = Object.entries(found.data ?? {}).filter(([name]) => !name.startsWith(signaturePrefix));
    const data = sortedMap(Object.fromEntries([...kept, ...this.#signatures(content)]));
    if (deepEqual(data, found.data)) return;
    try {
      await client.update(configMaps, { ...found, data });
    } catch (error) {
      // Somebody else has written it: that comes as an event.
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }

  #signatures(content: string): readonly (readonly [string, string])[] {
    const nowMs = this.#environment.nowMs();
    const { hmacSha256 } = this.#environment.options;
    assert(hmacSha256, 'somebody computes signatures');
    const tokens = this.#secrets.list('kube-system').flatMap((secret) => (isBootstrapToken(secret) ? (signingToken(secret, nowMs) ?? []) : []));
    return tokens.map(({ id, key: secret }) => [`${signaturePrefix}${id}`, detachedSignature(content, id, secret, hmacSha256)]);
  }
}

/** A JSON Web Signature (HS256) whose payload is left out, since everybody has it. */
function detachedSignature(content: string, id: string, secret: string, hmac: (key: string, text: string) => string): string {
  const header = base64Url(JSON.stringify({ alg: 'HS256', kid: id }));
  return `${header}..${hmac(secret, `${header}.${base64Url(content)}`)}`;
}

function base64Url(text: string): string {
  return asBase64Url(encodeBase64(new TextEncoder().encode(text)));
}

export const bootstrapSignerController = defineController<BootstrapSigner>({
  name: 'bootstrap-signer-controller',
  aliases: ['bootstrapsigner'],
  onByDefault: false,
  serviceAccount: 'bootstrap-signer',
  eventSource: 'bootstrap-signer-controller',
  canRun: ({ hmacSha256 }) => hmacSha256 !== undefined,
  workers: () => 1,
  watches: [
    watchOf(configMaps, ({ type, object: { metadata } }: InformerEvent<ConfigMap>) =>
      type !== 'delete' && metadata.namespace === namespace && metadata.name === configMapName ? [key] : [],
    ),
    watchOf(secrets, ({ object }: InformerEvent<Secret>) => (isBootstrapToken(object) ? [key] : [])),
  ],
  create: (environment) => new BootstrapSigner(environment),
});
