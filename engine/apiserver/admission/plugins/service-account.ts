/**
 * Pods run as a service account, `default` unless they say otherwise, and get its token, the cluster's CA and their namespace mounted.
 * Mirrors plugin/pkg/admission/serviceaccount.
 */
import type { Container, Pod, PodSpec, ServiceAccount, Volume, VolumeMount } from '../../../api/core/v1/types.gen.ts';
import { newForbidden, newServerTimeout } from '../../../apimachinery/errors.ts';
import type { RandomStream } from '../../../base/random.ts';
import { podSecretNames } from '../../../component-helpers/pod-references.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { defineAdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';

const stream = 'admission/service-account';
const mirrorAnnotation = 'kubernetes.io/config.mirror';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';
const tokenSeconds = 3607;
const defaultMode = 420;

export const serviceAccount = defineAdmissionPlugin({
  name: 'ServiceAccount',
  verbs: ['CREATE'],
  resources: ['pods'],
  admit(object, attributes) {
    const pod = object as Pod;
    if (pod.spec === undefined) return object;
    if (pod.metadata.annotations?.[mirrorAnnotation] !== undefined) return checkMirror(pod, attributes);
    const name = pod.spec.serviceAccountName || 'default';
    const account = attributes.lookup('', 'serviceaccounts', attributes.namespace, name) as ServiceAccount | undefined;
    if (account === undefined) throw missing(attributes, name);
    const spec: PodSpec = { ...pod.spec, serviceAccountName: name, serviceAccount: name, ...pullSecrets(pod.spec, account) };
    return { ...pod, spec: mounts(spec, account) ? withToken(spec, attributes.random(stream)) : spec };
  },
});

/** The image of a static pod stays as its node made it, and may lead to nothing. */
function checkMirror(pod: Pod, attributes: AdmissionAttributes): Pod {
  if (pod.spec?.serviceAccountName) refuse(attributes, 'a mirror pod may not reference service accounts');
  if (podSecretNames(pod).length > 0) refuse(attributes, 'a mirror pod may not reference secrets');
  if ((pod.spec?.volumes ?? []).some((volume) => volume.projected?.sources?.some((source) => source.serviceAccountToken !== undefined)))
    refuse(attributes, 'a mirror pod may not use service account token volume projections');
  return pod;
}

function missing({ name, namespace }: AdmissionAttributes, account: string): Error {
  if (account === 'default') return newServerTimeout({ group: '', resource: 'pods' }, 'create', 1);
  return newForbidden(
    { group: '', resource: 'pods' },
    name,
    `error looking up service account ${namespace}/${account}: serviceaccount ${JSON.stringify(account)} not found`,
  );
}

function pullSecrets(spec: PodSpec, account: ServiceAccount): Partial<PodSpec> {
  if ((spec.imagePullSecrets?.length ?? 0) > 0 || account.imagePullSecrets === undefined) return {};
  return { imagePullSecrets: account.imagePullSecrets };
}

function mounts(spec: PodSpec, account: ServiceAccount): boolean {
  return spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
}

function withToken(spec: PodSpec, random: RandomStream): PodSpec {
  const existing = (spec.volumes ?? []).find((volume) => volume.name.startsWith('kube-api-access-'));
  const name = existing?.name ?? `kube-api-access-${random.text(5, suffixAlphabet)}`;
  const mount: VolumeMount = { name, readOnly: true, mountPath };
  const mounted = (container: Container): Container =>
    container.volumeMounts?.some((given) => given.mountPath === mountPath)
      ? container
      : { ...container, volumeMounts: (container.volumeMounts ?? []).concat(mount) };
  const containers = (spec.containers ?? []).map(mounted);
  const initContainers = spec.initContainers?.map(mounted);
  const needed =
    containers.some((container) => container.volumeMounts?.includes(mount)) ||
    initContainers?.some((container) => container.volumeMounts?.includes(mount));
  return {
    ...spec,
    ...(needed && existing === undefined ? { volumes: (spec.volumes ?? []).concat(tokenVolume(name)) } : {}),
    containers,
    ...(initContainers === undefined ? {} : { initContainers }),
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
