/** Bootstrap tokens in Secrets. Mirrors k8s.io/cluster-bootstrap/token/util and pkg/controller/bootstrap/util.go. */
import type { Secret } from '../../api/core/v1/types.gen.ts';
import { parseTime } from '../../apimachinery/time.ts';
import { decodeBase64Text } from '../../base/base64.ts';
import { getOwn } from '../../base/dictionary.ts';

const tokenNamespace = 'kube-system';
const namePrefix = 'bootstrap-token-';

export function isBootstrapToken({ type, metadata }: Secret): boolean {
  return type === 'bootstrap.kubernetes.io/token' && metadata.namespace === tokenNamespace;
}

/** How long it is good yet; 0 when that is over or not told right, undefined when it has no end. */
export function timeLeftMs(secret: Secret, nowMs: number): number | undefined {
  const text = dataOf(secret, 'expiration');
  if (text === '') return undefined;
  const endMs = parseTime(text);
  return endMs === undefined ? 0 : Math.max(0, endMs - nowMs);
}

/** Id and secret of a token that signs, undefined for one that does not. */
export function signingToken(secret: Secret, nowMs: number): { readonly id: string; readonly key: string } | undefined {
  const { name = '' } = secret.metadata;
  const id = dataOf(secret, 'token-id');
  const key = dataOf(secret, 'token-secret');
  const isNamed = /^bootstrap-token-[a-z0-9]{6}$/.test(name) && name.slice(namePrefix.length) === id;
  if (!isNamed || key === '' || timeLeftMs(secret, nowMs) === 0 || dataOf(secret, 'usage-bootstrap-signing') !== 'true') return undefined;
  return { id, key };
}

function dataOf({ data = {} }: Secret, name: string): string {
  return decodeBase64Text(getOwn(data, name) ?? '');
}
