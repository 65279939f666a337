import { describe, expect, it } from 'vitest';
import type { LimitRange, Pod } from '../../../api/core/v1/types.gen.ts';
import { RequestTime } from '../../../contracts/request-time.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { StatusError } from '../../../apimachinery/status.ts';
import { Random } from '../../../base/random.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { createNodeRestriction } from './node-restriction.ts';
import { createLimitRanger } from './limit-ranger.ts';
import { runtimeClass } from './runtime-class.ts';

const identity = { username: 'u', groups: [], extra: {}, uid: '' } as unknown as AdmissionAttributes['identity'];

const pods = { group: '', version: 'v1', resource: 'pods', kind: 'Pod', kindGroup: '', kindVersion: 'v1' };
const noForms: AdmissionAttributes['forms'] = {
  requested: pods,
  equivalents: () => [pods],
  convert: (object) => object,
  objectsOf: () => undefined,
  resourceOf: () => undefined,
  typeOf: () => ({ kind: 'deduced' }),
  read: (document) => document as unknown as KubeObject,
};

function creation(object: KubeObject, found: KubeObject | undefined = undefined): AdmissionAttributes {
  return {
    verb: 'CREATE',
    group: '',
    version: 'v1',
    kind: 'Pod',
    resource: 'pods',
    subresource: '',
    namespace: 'ns',
    name: 'p',
    object,
    oldObject: undefined,
    time: new RequestTime(),
    options: {},
    operationOptions: undefined,
    identity,
    dryRun: false,
    lookup: () => found,
    updateStatus: () => {},
    create: () => {},
    stored: () => [],
    random: (name) => new Random(1).stream(name),
    ask: () => ({ outcome: 'timedOut' }),
    askAll: () => [],
    forms: noForms,
    authorize: () => ({ allowed: false, reason: '' }),
    annotate: () => {},
    whenKept: () => undefined,
    isFirst: () => true,
    warn: () => {},
  };
}

function pod(resources: object, spec: object = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'ns' },
    spec: { containers: [{ name: 'c', resources }], ...spec },
  } as unknown as Pod;
}

function messageOf(run: () => void): string {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return error.status.message ?? '';
    throw error;
  }
  return '';
}

describe('LimitRanger', () => {
  const range = (limit: object): LimitRange =>
    ({ apiVersion: 'v1', kind: 'LimitRange', metadata: {}, spec: { limits: [{ type: 'Container', ...limit }] } }) as unknown as LimitRange;

  it('fills in what containers do not say and notes it', () => {
    const plugin = createLimitRanger(() => [range({ default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '500m' } })], true);
    const given = pod({ limits: { cpu: '2' } });
    const admitted = plugin.admit?.(given, creation(given)) as Pod;
    expect(admitted.spec?.containers?.[0]?.resources).toEqual({ limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '500m' } });
    expect(admitted.metadata.annotations).toEqual({
      'kubernetes.io/limit-ranger': 'LimitRanger plugin set: cpu request for container c; memory limit for container c',
    });
  });

  it.each([
    [{ min: { cpu: '1' } }, { requests: { cpu: '500m' } }, 'minimum cpu usage per Container is 1, but request is 500m'],
    [{ min: { cpu: '1' } }, {}, 'minimum cpu usage per Container is 1.  No request is specified'],
    [{ max: { memory: '1Gi' } }, { limits: { memory: '2Gi' } }, 'maximum memory usage per Container is 1Gi, but limit is 2Gi'],
    [
      { maxLimitRequestRatio: { cpu: '2' } },
      { requests: { cpu: '1' }, limits: { cpu: '3' } },
      'cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000',
    ],
    [
      { max: { cpu: '1', memory: '1Gi' } },
      { limits: { cpu: '2' } },
      '[maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Container is 1Gi.  No limit is specified]',
    ],
  ])('%j refuses %j', (limit, resources, why) => {
    const plugin = createLimitRanger(() => [range(limit)], true);
    expect(messageOf(() => plugin.validate?.(creation(pod(resources))))).toBe(`pods "p" is forbidden: ${why}`);
  });

  it.each([
    [true, 'maximum memory usage per Pod is 1Gi, but limit is 2Gi'],
    [false, 'maximum memory usage per Pod is 1Gi.  No limit is specified'],
  ])('sums what some containers alone say: %s', (sumsParts, why) => {
    const plugin = createLimitRanger(() => [range({ type: 'Pod', max: { memory: '1Gi' } })], sumsParts);
    const containers = [
      { name: 'a', resources: { limits: { memory: '2Gi' } } },
      { name: 'b', resources: {} },
    ];
    expect(messageOf(() => plugin.validate?.(creation(pod({}, { containers }))))).toBe(`pods "p" is forbidden: ${why}`);
  });
});

describe('RuntimeClass', () => {
  it('gives overhead and scheduling, and refuses pods of a missing class', () => {
    const found = {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'rc' },
      overhead: { podFixed: { cpu: '10m' } },
      scheduling: { nodeSelector: { a: 'b' } },
    };
    const given = pod({}, { runtimeClassName: 'rc' });
    expect((runtimeClass.admit?.(given, creation(given, found)) as Pod).spec).toMatchObject({ overhead: { cpu: '10m' }, nodeSelector: { a: 'b' } });
    expect(messageOf(() => runtimeClass.admit?.(given, creation(given)))).toBe('pods "p" is forbidden: pod rejected: RuntimeClass "rc" not found');
  });

  it.each([
    ['../x', "[may not contain '/']"],
    ['..', "[may not be '..']"],
    ['a/%', "[may not contain '/' may not contain '%']"],
  ])('a class that nothing can be called (%s) is not looked for', (name, faults) => {
    const given = pod({}, { runtimeClassName: name });
    expect(messageOf(() => runtimeClass.admit?.(given, creation(given)))).toBe(`invalid resource name "${name}": ${faults}`);
  });
});

describe('NodeRestriction', () => {
  const restriction = createNodeRestriction({
    featureEnabled: () => false,
    authorize: () => ({ allowed: true, reason: '' }),
    certificates: {
      read: (pem) => {
        if (!pem.startsWith('CN=')) throw new Error('PEM block type must be CERTIFICATE REQUEST');
        return { commonName: pem.slice(3), organizations: [], dnsNames: [], ipAddresses: [], emailAddresses: [], uris: [] };
      },
    },
  });
  const refusalOf = (request: string, signerName: string): string => {
    const object = { metadata: { name: 'r' }, spec: { signerName, request: Buffer.from(request).toString('base64') } } as unknown as KubeObject;
    const asked = { ...creation(object), group: 'certificates.k8s.io', resource: 'certificatesigningrequests', name: 'r' };
    const node = { name: 'system:node:a', groups: ['system:nodes'] };
    return messageOf(() => restriction.admit?.(object, { ...asked, identity: node }));
  };

  it.each([
    ['CN=system:node:a', 'kubernetes.io/kubelet-serving', ''],
    ['CN=system:node:b', 'kubernetes.io/kubelet-serving', 'can only create a node CSR with CN=system:node:a'],
    ['CN=system:node:b', 'kubernetes.io/kube-apiserver-client-kubelet', 'can only create a node CSR with CN=system:node:a'],
    ['CN=system:node:b', 'example.com/other', ''],
    ['nothing', 'kubernetes.io/kubelet-serving', 'unable to parse csr: PEM block type must be CERTIFICATE REQUEST'],
  ])('of a node that asks %s to be signed by %s: %j', (request, signerName, why) => {
    expect(refusalOf(request, signerName)).toContain(why);
    if (why === '') expect(refusalOf(request, signerName)).toBe('');
  });
});
