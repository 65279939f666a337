/**
 * Pods run as a service account, `default` unless they say otherwise, and get its token, the cluster's CA and their namespace mounted.
 * Mirrors plugin/pkg/admission/serviceaccount.
 */
import type { Container, Pod, PodSpec, Secret, ServiceAccount, Volume, VolumeMount } from '../../../api/core/v1/types.gen.ts';
import { newServerTimeout, newStatusError } from '../../../apimachinery/errors.ts';
import { StatusError } from '../../../apimachinery/status.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { isMirrorPod } from '../../../component-helpers/pod.ts';
import { isTokenOf } from '../../../component-helpers/token-secrets.ts';
import { podSecretNames } from '../../../component-helpers/pod-references.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { AwaitedRefusal } from '../awaited.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import { refusal, refuse, unaskableName } from '../refusal.ts';
import { limitsSecrets, unmountableLater, unmountableSecret } from './mountable-secrets.ts';

const stream = 'admission/service-account';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';
const tokenSeconds = 3607;
const defaultMode = 420;

/** Each namespace gets such an account: upstream looks ten times, each 100 to 200 ms. */
const untilMade = { delayMs: 150, wallMostMs: 200, times: 9 };

export interface ServiceAccountRules {
  /** The account's Secret is mounted, as before pods had tokens of their own. */
  readonly mountsSecrets: boolean;
  /** An account that limits its Secrets limits those, too, that become an environment as a whole. */
  readonly limitsEnvFrom: boolean;
}

export function createServiceAccountPlugin({ mountsSecrets, limitsEnvFrom }: ServiceAccountRules): AdmissionPlugin {
  const withToken = mountsSecrets ? withTokenSecret : withBoundToken;
  return defineAdmissionPlugin({
    name: 'ServiceAccount',
    verbs: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    subresources: ['', 'ephemeralcontainers'],
    admit(object, attributes) {
      if (attributes.verb !== 'CREATE' || attributes.subresource !== '') return object;
      return admit(object as Pod, attributes, { withToken, limitsEnvFrom });
    },
    validate(attributes) {
      const pod = attributes.object as Pod | undefined;
      if (pod?.spec === undefined) return;
      if (attributes.subresource === 'ephemeralcontainers') judgeEphemeral(pod, attributes);
      else if (attributes.verb === 'CREATE') judge(pod, attributes, limitsEnvFrom);
    },
  });
}

interface Ways {
  readonly withToken: Mounter;
  readonly limitsEnvFrom: boolean;
}

type Mounter = (spec: PodSpec, account: ServiceAccount, attributes: AdmissionAttributes) => PodSpec;

function admit(pod: Pod, attributes: AdmissionAttributes, { withToken, limitsEnvFrom }: Ways): Pod {
  if (pod.spec === undefined) return pod;
  if (isMirrorPod(pod)) {
    checkMirror(pod, attributes);
    return pod;
  }
  const name = pod.spec.serviceAccountName || 'default';
  const account = accountOf(name, attributes);
  const spec: PodSpec = { ...pod.spec, serviceAccountName: name, serviceAccount: name, ...pullSecrets(pod.spec, account) };
  const mounted = mounts(spec, account) ? withToken(spec, account, attributes) : spec;
  judgeSecrets(mounted, account, attributes, limitsEnvFrom);
  return { ...pod, spec: mounted };
}

function accountOf(name: string, attributes: AdmissionAttributes): ServiceAccount {
  const account = attributes.lookup('', 'serviceaccounts', attributes.namespace, name) as ServiceAccount | undefined;
  if (account === undefined) throw missing(attributes, name);
  return account;
}

/** Once more, when everybody else may have changed the pod. */
function judge(pod: Pod, attributes: AdmissionAttributes, limitsEnvFrom: boolean): void {
  const { spec } = pod;
  if (spec === undefined) return;
  if (isMirrorPod(pod)) return checkMirror(pod, attributes);
  judgeSecrets(spec, namedAccount(pod, attributes), attributes, limitsEnvFrom);
}

function judgeSecrets(spec: PodSpec, account: ServiceAccount, attributes: AdmissionAttributes, limitsEnvFrom: boolean): void {
  const why = limitsSecrets(account) ? unmountableSecret(account, spec, limitsEnvFrom) : undefined;
  if (why !== undefined) refuse(attributes, why);
}

/** Upstream does not make a refusal of it. */
function judgeEphemeral(pod: Pod, attributes: AdmissionAttributes): void {
  const account = namedAccount(pod, attributes);
  const why = limitsSecrets(account) ? unmountableLater(account, pod) : undefined;
  if (why !== undefined) throw newStatusError(500, '', why);
}

function namedAccount({ metadata, spec }: Pod, attributes: AdmissionAttributes): ServiceAccount {
  const name = spec?.serviceAccountName ?? '';
  if (name === '') refuse(attributes, `no service account specified for pod ${attributes.namespace}/${metadata.name ?? ''}`);
  return accountOf(name, attributes);
}

/** The image of a static pod stays as its node made it, and may lead to nothing. */
function checkMirror(pod: Pod, attributes: AdmissionAttributes): void {
  if (pod.spec?.serviceAccountName) refuse(attributes, 'a mirror pod may not reference service accounts');
  if (podSecretNames(pod).length > 0) refuse(attributes, 'a mirror pod may not reference secrets');
  if ((pod.spec?.volumes ?? []).some((volume) => volume.projected?.sources?.some((source) => source.serviceAccountToken !== undefined)))
    refuse(attributes, 'a mirror pod may not use ServiceAccountToken volume projections');
}

function missing(attributes: AdmissionAttributes, account: string): Error {
  const reason = unaskableName(account) ?? `serviceaccount ${goQuote(account)} not found`;
  const refused = refusal(attributes, `error looking up service account ${attributes.namespace}/${account}: ${reason}`);
  return account === 'default' ? new AwaitedRefusal(refused, untilMade) : refused;
}

function pullSecrets(spec: PodSpec, account: ServiceAccount): Partial<PodSpec> {
  if ((spec.imagePullSecrets?.length ?? 0) > 0 || account.imagePullSecrets === undefined) return {};
  return { imagePullSecrets: account.imagePullSecrets };
}

function mounts(spec: PodSpec, account: ServiceAccount): boolean {
  return spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
}

function withBoundToken(spec: PodSpec, _account: ServiceAccount, attributes: AdmissionAttributes): PodSpec {
  const existing = (spec.volumes ?? []).find((volume) => volume.name.startsWith('kube-api-access-'));
  return mounted(spec, existing?.name, () => tokenVolume(`kube-api-access-${suffix(attributes)}`));
}

function withTokenSecret(spec: PodSpec, account: ServiceAccount, attributes: AdmissionAttributes): PodSpec {
  const secretName = tokenSecretOf(account, attributes);
  const volumes = spec.volumes ?? [];
  const existing = volumes.find((volume) => volume.secret?.secretName === secretName);
  return mounted(spec, existing?.name, () => {
    const isTaken = volumes.some((volume) => volume.name === secretName);
    return { name: isTaken ? `${secretName}-${suffix(attributes)}` : secretName, secret: { secretName, defaultMode } };
  });
}

/** The first Secret that the account refers to and that holds its token. */
function tokenSecretOf(account: ServiceAccount, { namespace, lookup }: AdmissionAttributes): string {
  for (const { name = '' } of account.secrets ?? []) {
    const secret = name === '' ? undefined : (lookup('', 'secrets', namespace, name) as Secret | undefined);
    if (secret !== undefined && isTokenOf(secret, account)) return name;
  }
  const { name = '' } = account.metadata;
  const late = newServerTimeout({ group: '', resource: 'serviceaccounts' }, 'create pod', 1);
  const why = `No API token found for service account ${goQuote(name)}, retry after the token is automatically created and added to the service account`;
  throw new StatusError({ ...late.status, message: why });
}

function suffix(attributes: AdmissionAttributes): string {
  return attributes.random(stream).text(5, suffixAlphabet);
}

/** With the token mounted where nothing is, from the volume `existing` or from a new one. */
function mounted(spec: PodSpec, existing: string | undefined, makeVolume: () => Volume): PodSpec {
  const isBare = (container: Container): boolean => container.volumeMounts?.some((given) => given.mountPath === mountPath) !== true;
  if (![...(spec.containers ?? []), ...(spec.initContainers ?? [])].some(isBare)) return spec;
  const made = existing === undefined ? makeVolume() : undefined;
  const mount: VolumeMount = { name: made?.name ?? existing ?? '', readOnly: true, mountPath };
  const withMount = (container: Container): Container =>
    isBare(container) ? { ...container, volumeMounts: (container.volumeMounts ?? []).concat(mount) } : container;
  return {
    ...spec,
    ...(made === undefined ? undefined : { volumes: (spec.volumes ?? []).concat(made) }),
    containers: (spec.containers ?? []).map(withMount),
    ...(spec.initContainers === undefined ? undefined : { initContainers: spec.initContainers.map(withMount) }),
  };
}

/** All pods hold this one, with fields in the order of the schema, so that it is stored as it is. */
const projected: Volume['projected'] = {
  sources: [
    { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
  ],
  defaultMode,
};

function tokenVolume(name: string): Volume {
  return { name, projected } as unknown as Volume;
}
