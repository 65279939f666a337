/** What release 1.13 showed of objects in refusals, and rules that only it had: as a real 1.13.12 answered. */
import { beforeAll, describe, expect, it } from 'vitest';
import { aCluster, type TestCluster } from '../../support/cluster.ts';

let tank: TestCluster;
beforeAll(async () => {
  tank = await aCluster({ nodes: 0, release: '1.13' });
});

interface Refusal {
  readonly message?: string;
}

const merge = 'application/merge-patch+json';
const send = (method: string, path: string, body?: object, type?: string): readonly [number, string] => {
  const { status, object } = tank.ask<Refusal>(method, path, body, type);
  return [status, object.message ?? ''];
};

const pods = '/api/v1/namespaces/default/pods';
const definitions = '/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions';

const definition = (plural: string, spec: object): object => ({
  apiVersion: 'apiextensions.k8s.io/v1beta1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.t.example.com` },
  spec: { group: 't.example.com', version: 'v1', scope: 'Namespaced', names: { plural, kind: plural.toUpperCase() }, ...spec },
});

describe('values as the types of release 1.13 print them', () => {
  it('shows a pod that may not change from where it does', () => {
    send('POST', pods, { metadata: { name: 'p' }, spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] } });
    const [status, message] = send('PATCH', `${pods}/p`, { spec: { restartPolicy: 'Never' } }, merge);
    expect(status).toBe(422);
    expect(message).toContain('`spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n{"Volumes":null,');
    expect(message).toContain('"Resources":{"Limits":null,"Requests":null}');
    expect(message).toContain('"RestartPolicy":"\n\nA: Never","TerminationGracePeriodSeconds":30,');
    expect(message).toContain('\n\nB: Always","TerminationGracePeriodSeconds":30,');
  });

  it('says of an empty image that there is none, and nothing more', () => {
    const patch = { spec: { containers: [{ name: 'c', image: '' }] } };
    const [, message] = send('PATCH', `${pods}/p`, patch, 'application/strategic-merge-patch+json');
    expect(message).toBe('Pod "p" is invalid: spec.containers[0].image: Required value');
  });

  it('shows the template of a job that may not change', () => {
    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    send('POST', jobs, {
      metadata: { name: 'j' },
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
    });
    const [, message] = send('PATCH', `${jobs}/j`, { spec: { template: { spec: { hostname: 'h' } } } }, merge);
    expect(message).toContain('spec.template: Invalid value: core.PodTemplateSpec{ObjectMeta:v1.ObjectMeta{Name:"", GenerateName:""');
    expect(message).toContain(
      'Spec:core.PodSpec{Volumes:[]core.Volume(nil), InitContainers:[]core.Container(nil), Containers:[]core.Container{core.Container{',
    );
    expect(message).toContain('Hostname:"h"');
  });

  it('shows quantities as they were sent', () => {
    const resources = { limits: { 'example.com/x': '1.5' }, requests: { 'example.com/x': '1.5' } };
    const [, message] = send('POST', pods, { metadata: { name: 'q' }, spec: { containers: [{ name: 'c', image: 'i', resources }] } });
    expect(message).toContain('Invalid value: resource.Quantity{i:resource.int64Amount{value:15, scale:-1}');
  });
});

describe('definitions and their objects', () => {
  it('refuses a version that is not the first', () => {
    const versions = [
      { name: 'v2', served: true, storage: true },
      { name: 'v1', served: true, storage: false },
    ];
    const [status, message] = send('POST', definitions, definition('as', { versions }));
    expect([status, message]).toEqual([
      422,
      'CustomResourceDefinition.apiextensions.k8s.io "as.t.example.com" is invalid: spec.version: Invalid value: "v1": must match the first version in spec.versions',
    ]);
  });

  it('takes no defaults in schemas, and no items that must be unlike', () => {
    const openAPIV3Schema = { properties: { spec: { default: 1, uniqueItems: true } } };
    const [, message] = send('POST', definitions, definition('bs', { validation: { openAPIV3Schema } }));
    expect(message).toContain('spec.validation.openAPIV3Schema.properties[spec].default: Forbidden: default is not supported');
    expect(message).toContain(
      'properties[spec].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    );
  });

  it('tells all that a schema refuses as one fault of the whole object', async () => {
    const openAPIV3Schema = { required: ['spec'], properties: { n: { type: 'integer' } } };
    send('POST', definitions, definition('cs', { validation: { openAPIV3Schema } }));
    await tank.advance(1000);
    const path = '/apis/t.example.com/v1/namespaces/default/cs';
    const [status, message] = send('POST', path, { apiVersion: 't.example.com/v1', kind: 'CS', metadata: { name: 'x' }, n: 'x' });
    expect(status).toBe(422);
    expect(message).toContain(
      '[]: Invalid value: map[string]interface {}{"apiVersion":"t.example.com/v1", "kind":"CS", "metadata":map[string]interface {}{',
    );
    const told = message.split('validation failure list:\n')[1]?.split('\n');
    expect(told?.toSorted()).toEqual(['.spec in body is required', 'n in body must be of type integer: "string"'].toSorted());
  });
});

describe('what only release 1.13 did', () => {
  it('reads what a patch has made as the kind that the patch says', () => {
    send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'm' }, data: { a: '1' } });
    const [status, message] = send('PATCH', '/api/v1/namespaces/default/configmaps/m', { kind: 'Secret' }, merge);
    expect(status).toBe(500);
    expect(message).toContain('v1.Secret.ObjectMeta: v1.ObjectMeta.TypeMeta: Kind: Data: decode base64: illegal base64 data');
  });

  it('knows no null in the lists of a merge patch', () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    send('POST', roles, { metadata: { name: 'r' } });
    const [status, message] = send('PATCH', `${roles}/r`, { rules: [{ apiGroups: [''], resources: ['pods'], verbs: [null] }] }, merge);
    expect(status).toBe(422);
    expect(message).toContain('rules[0].verbs: Required value: verbs must contain at least one value');
  });

  it('draws no address for a service in a dry run', () => {
    const { object } = tank.ask<{ readonly spec?: { readonly clusterIP?: string } }>('POST', '/api/v1/namespaces/default/services?dryRun=All', {
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }] },
    });
    expect(object.spec).toBeDefined();
    expect(object.spec?.clusterIP).toBeUndefined();
  });

  it('tells labels that a patch took away from labels that are none', () => {
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const labels = { app: 'a' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    send('POST', path, { metadata: { name: 'd' }, spec: { selector: { matchLabels: labels }, template } });
    const [, away] = send('PATCH', `${path}/d`, { spec: { selector: { matchLabels: null } } }, merge);
    expect(away).toContain(
      'v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: empty selector',
    );
    const [, none] = send('PATCH', `${path}/d`, { spec: { selector: { matchLabels: { app: null } } } }, merge);
    expect(none).toContain('v1.LabelSelector{MatchLabels:map[string]string{}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: empty selector');
  });

  it('refuses each type of a policy as often as one is wrong', () => {
    const spec = { podSelector: {}, policyTypes: ['Ingress', 'Bogus'] };
    const [, message] = send('POST', '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', { metadata: { name: 'n' }, spec });
    expect(message).toBe(
      'NetworkPolicy.extensions "n" is invalid: [spec.policyTypes[0]: Unsupported value: "Ingress": supported values: "Ingress", "Egress", spec.policyTypes[1]: Unsupported value: "Bogus": supported values: "Ingress", "Egress"]',
    );
  });

  it('looks at how traffic is led when nothing else is wrong', () => {
    const services = '/api/v1/namespaces/default/services';
    const post = (spec: object): string => send('POST', services, { metadata: { name: 'e' }, spec: { externalTrafficPolicy: 'Local', ...spec } })[1];
    expect(post({ ports: [{ port: 80 }] })).toContain('"Local": ExternalTrafficPolicy can only be set on NodePort and LoadBalancer service');
    expect(post({ ports: [{ port: -1 }] })).not.toContain('externalTrafficPolicy');
  });

  it('lets nobody ask for a smaller volume', () => {
    const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
    const spec = (storage: string): object => ({ accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } });
    send('POST', claims, { metadata: { name: 'v' }, spec: spec('2Gi') });
    const [, message] = send('PATCH', `${claims}/v`, { spec: spec('1Gi') }, merge);
    expect(message).toContain('spec.resources.requests.storage: Forbidden: field can not be less than previous value');
  });
});
