import { beforeAll, expect, it } from 'vitest';
import { aCluster, type TestCluster } from '../../../../test/support/cluster.ts';

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const bindings = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';
const events = '/apis/events.k8s.io/v1/namespaces/default/events';
let cluster: TestCluster;

beforeAll(async () => {
  cluster = await aCluster({ seed: 1, nodes: 0 });
  const spec = {
    matchConstraints: { resourceRules: [{ apiGroups: ['events.k8s.io'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['events'] }] },
    validations: [
      {
        expression: "object.apiVersion == 'events.k8s.io/v1' && object.note != 'bad'",
        messageExpression: "object.regarding.name + ': ' + object.note",
      },
    ],
  };
  cluster.call('POST', policies, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'notes' },
    spec,
  });
  cluster.call('POST', bindings, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'notes' },
    spec: { policyName: 'notes', validationActions: ['Deny'] },
  });
  await cluster.advance(2_000);
});

function anEvent(name: string, note: string): object {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'c',
    reportingInstance: 'c-1',
    action: 'A',
    reason: 'R',
    type: 'Normal',
    regarding: { kind: 'Pod', namespace: 'default', name: 'p' },
    note,
  };
}

it('judges what is stored in another version as it was sent, and names it', () => {
  expect(cluster.ask('POST', events, anEvent('good', 'fine'))).toMatchObject({ status: 201, object: { note: 'fine', metadata: { name: 'good' } } });
  const { status, object } = cluster.ask('POST', events, anEvent('evil', 'bad'));
  expect(status).toBe(422);
  expect(object.message).toBe(
    `events.events.k8s.io "evil" is forbidden: ValidatingAdmissionPolicy 'notes' with binding 'notes' denied request: p: bad`,
  );
});
