/** Writes and reads at the edge of single rules, as a real 1.36.3 answers them (found by `npm run differential`). */
import { expect, test } from 'vitest';
import { aCluster, type TestCluster } from '../../support/cluster.ts';

const place = '/api/v1/namespaces/odd';
const container = { name: 'c', image: 'busybox:1.28' };
const noMember = 'associative list without keys has an element that';
const binding = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/b';

function service(spec: object): object {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80 }], clusterIP: 'None', ...spec } };
}

function pod(name: string, spec: object): object {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [container], ...spec } };
}

function policyBinding(action: unknown): object {
  const meta = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicyBinding', metadata: { name: 'b' } };
  return { ...meta, spec: { policyName: 'p.example.com', validationActions: [action] } };
}

function attachment(status?: object): object {
  const spec = { attacher: 'disk.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } };
  return { apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: 'a' }, spec, status };
}

const attachments = '/apis/storage.k8s.io/v1/volumeattachments';

interface Case {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly contentType?: string;
  readonly code: number;
  readonly message: string;
}

const apply = { method: 'PATCH', contentType: 'application/apply-patch+yaml' };
const cases: readonly Case[] = [
  {
    name: 'a policy of traffic that is empty is not absent',
    method: 'PUT',
    path: `${place}/services/s`,
    body: service({ internalTrafficPolicy: '' }),
    code: 422,
    message: 'Service "s" is invalid: spec.internalTrafficPolicy: Unsupported value: "": supported values: "Cluster", "Local"',
  },
  {
    name: 'no name is asked for before its version',
    method: 'GET',
    path: `${place}/secrets/..?resourceVersion=abc`,
    code: 400,
    message: `Name parameter invalid: "..": may not be '..'`,
  },
  {
    name: 'an account that nothing can be called',
    method: 'POST',
    path: `${place}/pods?dryRun=All`,
    body: pod('q', { serviceAccountName: '/abs' }),
    code: 403,
    message: `pods "q" is forbidden: error looking up service account odd//abs: invalid resource name "/abs": [may not contain '/']`,
  },
  ...(
    [
      [null, 's an explicit null'],
      [{ a: 'b' }, 's a map type'],
    ] as const
  ).map(([action, text]) => ({
    name: `a set with ${JSON.stringify(action)}`,
    ...apply,
    path: `${binding}?fieldManager=one`,
    body: policyBinding(action),
    code: 500,
    message: `failed to create typed patch object (/b; admissionregistration.k8s.io/v1, Kind=ValidatingAdmissionPolicyBinding): .spec.validationActions: element 0: ${noMember}'${text}`,
  })),
  {
    name: 'a toleration of no key is not asked its operator, so what a pod was given is gone',
    ...apply,
    path: `${place}/pods/p?fieldManager=one&force=true`,
    body: pod('p', { tolerations: [{ value: 'x' }] }),
    code: 422,
    message:
      'Pod "p" is invalid: [spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys", ' +
      'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds]',
  },
];

const detached = (
  [
    ['errorCode', -1, 'errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive'],
    ['message', 'x'.repeat(1025), 'message: Too long: may not be more than 262144 bytes'],
  ] as const
).map(([field, value, fault]) => ({
  name: `why a volume was not detached (${field})`,
  method: 'PATCH',
  contentType: 'application/merge-patch+json',
  path: `${attachments}/a/status`,
  body: { status: { detachError: { [field]: value } } },
  code: 422,
  message: `VolumeAttachment.storage.k8s.io "a" is invalid: status.detachError.${fault}`,
}));

async function odd(): Promise<TestCluster> {
  const tank = await aCluster({ nodes: 0 });
  tank.call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'odd' } });
  await tank.advance(5_000);
  tank.call('POST', `${place}/services`, service({}));
  tank.call('POST', `${place}/pods`, pod('p', {}));
  tank.call('POST', attachments, attachment());
  return tank;
}

test.each([...cases, ...detached])('$name', async ({ method, path, body, contentType, code, message }) => {
  const { status, object } = (await odd()).ask(method, path, body, contentType);
  expect({ code: status, message: object.message }).toEqual({ code, message });
});
