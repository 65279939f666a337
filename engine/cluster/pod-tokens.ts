/**
 * Tokens that kubelets show in volumes of pods: what the API server answers to their TokenRequests, made when a container looks. A request
 * changes nothing that is stored, so nobody can tell when it was made, and a thousand pods that never look cost nothing.
 */
import type { KubeObject } from '../apimachinery/object.ts';
import { uuidOf } from '../base/uuid.ts';
import type { PodTokens, TokenSigner } from '../contracts/tokens.ts';
import { lifetimeOf } from '../registry/token.ts';
import type { ClusterHost } from './cluster-host.ts';

interface Objects {
  lookup(group: string, resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
}

/** Nothing where the host signs nothing. */
export function podTokens(host: Pick<ClusterHost, 'tokenSigner' | 'hash'>, objects: Objects): { readonly tokens?: PodTokens } {
  const { tokenSigner: signer } = host;
  return signer === undefined ? {} : { tokens: createPodTokens(signer, (text) => host.hash(text), objects) };
}

/** `hash`: SHA-256 as hex. */
function createPodTokens(signer: TokenSigner, hash: (text: string) => string, objects: Objects): PodTokens {
  return {
    accountUid: (namespace, name) => objects.lookup('', 'serviceaccounts', namespace, name)?.metadata.uid,
    issue: ({ audience, expirationSeconds, ...bound }) => {
      const audiences = audience === undefined ? signer.audiences : [audience];
      const id = uuidOf(hash(JSON.stringify([bound, audiences, expirationSeconds])));
      return signer.sign({ ...bound, id, audiences, ...lifetimeOf(signer, audiences, expirationSeconds, true) });
    },
  };
}
