/** What a client of release 1.13 meets and no client of now: its documents, paths, subresources, columns and the words of its refusals. */
import { beforeAll, describe, expect, it } from 'vitest';
import { aCluster, type TestCluster } from '../support/cluster.ts';
import { type Ask, asker } from './seeds-client.ts';

const template = (image: string): object => ({ metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image }] } });
const deployments = '/apis/extensions/v1beta1/namespaces/default/deployments';
const table = 'application/json;as=Table;g=meta.k8s.io;v=v1beta1';

describe('release 1.13', () => {
  let made: TestCluster;
  let ask: Ask;

  beforeAll(async () => {
    made = await aCluster({ seed: 1, nodes: 1, release: '1.13' });
    await made.advance(20_000);
    ask = asker(made);
  });

  it.each(['extensions/v1beta1', 'apps/v1beta1'])('rolls a Deployment of %s back to the revision before', async (version) => {
    const name = `back-${version.split('/')[0] ?? ''}`;
    const path = `/apis/${version}/namespaces/default/deployments`;
    ask('POST', path, { body: { metadata: { name }, spec: { replicas: 1, template: template('nginx:1') } } });
    await made.advance(20_000);
    ask('PATCH', `${path}/${name}`, { body: { spec: { template: template('nginx:2') } }, type: 'application/merge-patch+json' });
    await made.advance(20_000);
    const body = { apiVersion: version, kind: 'DeploymentRollback', name, rollbackTo: { revision: 0 }, updatedAnnotations: { why: 'broken' } };
    const answer = ask('POST', `${path}/${name}/rollback`, { body });
    expect([answer.status, answer.body['code'], answer.body['message']]).toEqual([201, 200, `rollback request for deployment "${name}" succeeded`]);
    await made.advance(20_000);
    const { metadata, spec } = ask('GET', `${path}/${name}`).body;
    expect(spec?.['template']?.['spec']?.['containers']).toMatchObject([{ image: 'nginx:1' }]);
    expect(spec?.['rollbackTo']).toBeUndefined();
    expect(metadata?.['annotations']).toMatchObject({ 'deployment.kubernetes.io/revision': '3' });
  });

  it('refuses a rollback that says nothing, and one of a Deployment that is not there', () => {
    const post = (body: object): string => String(ask('POST', `${deployments}/none/rollback`, { body }).body['message']);
    expect(post({ name: '', rollbackTo: {} })).toBe('DeploymentRollback.apps "" is invalid: name: Required value: name is required');
    expect(post({ name: 'none', rollbackTo: { revision: 3 } })).toBe('deployments.apps "none" not found');
  });

  it('scales replication controllers by extensions/v1beta1', () => {
    ask('POST', '/api/v1/namespaces/default/replicationcontrollers', {
      body: { metadata: { name: 'rc' }, spec: { replicas: 1, template: template('nginx') } },
    });
    const path = '/apis/extensions/v1beta1/namespaces/default/replicationcontrollers/rc';
    const answer = ask('PATCH', `${path}/scale`, { body: { spec: { replicas: 3 } }, type: 'application/merge-patch+json' });
    expect([answer.status, answer.body['message']]).toEqual([200, undefined]);
    expect(ask('GET', `${path}/scale`).body).toMatchObject({ apiVersion: 'extensions/v1beta1', kind: 'Scale', spec: { replicas: 3 } });
    // It has that part alone, as on a real 1.13.12.
    expect(ask('GET', path).status).toBe(404);
  });

  it('deletes no collection of services, but with their namespace', async () => {
    ask('POST', '/api/v1/namespaces', { body: { metadata: { name: 'going' } } });
    ask('POST', '/api/v1/namespaces/going/services', { body: { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } } });
    expect(ask('DELETE', '/api/v1/namespaces/going/services').status).toBe(405);
    ask('DELETE', '/api/v1/namespaces/going');
    await made.advance(60_000);
    expect(ask('GET', '/api/v1/namespaces/going').status).toBe(404);
  });

  it('has the documents and paths of its day', () => {
    for (const path of ['/livez', '/readyz', '/openapi/v3']) expect(ask('GET', path).status, path).toBe(404);
    expect(JSON.parse(ask('GET', '/nothing').text)).toMatchObject({ paths: expect.arrayContaining(['/apis', '/swaggerapi']) as unknown });
    expect(ask('GET', '/healthz/poststarthook/ca-registration').text).toBe('ok');
    const { definitions } = JSON.parse(ask('GET', '/swagger.json').text) as { readonly definitions: { readonly [name: string]: object } };
    expect(definitions['io.k8s.kubernetes.pkg.api.v1.Pod']).toEqual({
      description: 'Deprecated. Please use io.k8s.api.core.v1.Pod instead.',
      $ref: '#/definitions/io.k8s.api.core.v1.Pod',
    });
    expect(JSON.stringify(definitions)).not.toContain('LifecycleHandler');
  });

  it('shows values as Go writes them, under the fields of its day', () => {
    const post = (path: string, body: object): string => String(ask('POST', path, { body }).body['message']);
    const spec = { selector: { matchLabels: { b: 'c' } }, template: template('nginx') };
    expect(post(deployments, { metadata: { name: 'x' }, spec })).toBe(
      'Deployment.apps "x" is invalid: spec.template.metadata.labels: Invalid value: map[string]string{"app":"a"}: `selector` does not match template `labels`',
    );
    expect(post('/api/v1/namespaces/default/services', { metadata: { name: 'x' }, spec: { clusterIP: '10.96.0.1', ports: [{ port: 80 }] } })).toBe(
      'Service "x" is invalid: spec.clusterIP: Invalid value: "10.96.0.1": provided IP is already allocated',
    );
    expect(post('/apis/extensions/v1beta1/namespaces/default/ingresses', { metadata: { name: 'x' }, spec: {} })).toBe(
      'Ingress.extensions "x" is invalid: spec: Invalid value: []extensions.IngressRule(nil): either `backend` or `rules` must be specified',
    );
    expect(post('/api/v1/namespaces/default/configmaps', { apiVersion: 'apps/v1', kind: 'ConfigMap', metadata: { name: 'x' } })).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "apps/v1" in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:29"',
    );
  });

  it('labels nodes as its manifests look for them', () => {
    const { metadata } = ask('GET', '/api/v1/nodes/node-0').body;
    expect(metadata?.['labels']).toMatchObject({
      'failure-domain.beta.kubernetes.io/zone': 'sim-a',
      'beta.kubernetes.io/instance-type': expect.any(String) as unknown,
    });
  });

  it.each([true, false])('has the fields of gates that are on (%s)', async (on) => {
    const options = { 'feature-gates': `PodPriority=${on},BlockVolume=${on},LocalStorageCapacityIsolation=${on}` };
    const other = asker(await aCluster({ seed: 1, nodes: 0, release: '1.13', options }));
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const claim = other('POST', '/api/v1/namespaces/default/persistentvolumeclaims', { body: { metadata: { name: 'c' }, spec } }).body;
    expect(claim['spec']?.['volumeMode']).toBe(on ? 'Filesystem' : undefined);
    const volumes = [{ name: 'v', emptyDir: { sizeLimit: '1Mi' } }];
    const template = { spec: { priorityClassName: 'system-node-critical', volumes, containers: [{ name: 'c', image: 'nginx' }] } };
    const { template: kept } = other('POST', '/api/v1/namespaces/default/podtemplates', { body: { metadata: { name: 't' }, template } }).body;
    expect(kept?.['spec']?.['volumes']?.[0]?.['emptyDir']).toEqual(on ? { sizeLimit: '1Mi' } : {});
    expect(kept?.['spec']?.['priorityClassName']).toBe(on ? 'system-node-critical' : undefined);
  });

  it('prints targets of autoscalers without names', () => {
    const spec = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3, targetCPUUtilizationPercentage: 50 };
    ask('POST', '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers', { body: { metadata: { name: 'h' }, spec } });
    const { rows } = ask('GET', '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers/h', { accept: table }).body;
    expect(rows?.[0]?.['cells']?.[2]).toBe('<unknown>/50%');
  });
});
