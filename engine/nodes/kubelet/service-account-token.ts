/**
 * The token of a pod's service account as a volume shows it. Mirrors pkg/kubelet/token (token_manager.go): asked for when the volume is
 * set up, and anew with the first sync after 80 % of its life or 24 hours; a kubelet that starts knows none. Which token it is follows
 * from the time, so nothing is kept, and nothing is signed before a container looks.
 */
import type { ServiceAccountTokenProjection } from '../../api/core/v1/types.gen.ts';
import { assert } from '../../base/assert.ts';
import { podResyncMs } from '../physics.ts';
import type { KubeletEnvironment } from './environment.ts';
import type { PodWorker } from './worker.ts';

const secondsDefault = 3600;
const shareOfLife = 0.8;
const ageMaxMs = 24 * 3600 * 1000;

/** The uid of the pod's account where one of its volumes shows a token; empty where none does. */
export function tokenAccount({ pod, namespace }: PodWorker, { tokens }: KubeletEnvironment): string {
  const isShown = pod.spec?.volumes?.some(({ projected }) => projected?.sources?.some((source) => source.serviceAccountToken !== undefined)) === true;
  return isShown ? (tokens?.accountUid(namespace, pod.spec?.serviceAccountName ?? '') ?? '') : '';
}

/** What keeps a token from being shown. */
export function tokenFault({ pod, namespace }: PodWorker, { tokens }: KubeletEnvironment): string | undefined {
  const name = pod.spec?.serviceAccountName ?? '';
  if (tokens === undefined) return undefined;
  if (name === '') return 'failed to fetch token: resource name may not be empty';
  return tokens.accountUid(namespace, name) === undefined ? `failed to fetch token: serviceaccounts "${name}" not found` : undefined;
}

export function tokenText(worker: PodWorker, source: ServiceAccountTokenProjection, { nowMs, machine, tokens }: KubeletEnvironment): string {
  if (tokens === undefined) return '';
  const expirationSeconds = Number(source.expirationSeconds ?? secondsDefault);
  const refreshMs = Math.min(ageMaxMs, shareOfLife * expirationSeconds * 1000);
  assert(refreshMs > 0, 'a token lives for a while');
  const everyMs = Math.ceil(refreshMs / podResyncMs) * podResyncMs;
  const firstMs = Math.max(worker.addedMs, machine.kubeletSinceMs ?? 0);
  return tokens.issue({
    namespace: worker.namespace,
    serviceAccount: { name: worker.pod.spec?.serviceAccountName ?? '', uid: worker.accountUid },
    pod: { name: worker.name, uid: worker.uid },
    node: { name: machine.name, uid: machine.nodeUid },
    ...(source.audience ? { audience: source.audience } : {}),
    expirationSeconds,
    nowMs: firstMs + Math.floor(Math.max(0, nowMs - firstMs) / everyMs) * everyMs,
  });
}
