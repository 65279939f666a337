/** Admission plugins say what those of the real server said (`record.ts` wrote it down). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { type Answered, type Said, saidOf } from './answers.ts';
import { groups, type Step } from './cases.ts';

const facts = JSON.parse(readFileSync(new URL('facts.json', import.meta.url), 'utf8')) as { readonly [group: string]: readonly (Said | null)[] };

function ask({ door }: TestCluster, { method, path: url, body, contentType = 'application/json', as }: Step): Answered {
  const [path = '', query = ''] = url.split('?', 2);
  const headers = { accept: 'application/json', 'content-type': contentType, 'user-agent': 'test', ...(as && { 'impersonate-user': as }) };
  const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
  const response = door.serveAtOnce({ method, path, query, headers, body: bytes, identity: adminIdentity });
  if (!('body' in response)) throw new Error(`${method} ${url} answered a stream`);
  const chunks = typeof response.body === 'string' || response.body instanceof Uint8Array ? [response.body] : [...response.body];
  const text = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))).join('');
  const warnings = Object.entries(response.headers ?? {}).flatMap(([name, value]) => (name.toLowerCase() === 'warning' ? value : []));
  return { code: response.status, warnings, body: text.startsWith('{') ? JSON.parse(text) : { message: text } };
}

describe.each(groups.map((group) => [group.name, group] as const))('%s', (name, { plugins, options, steps }) => {
  it('answers as upstream does', async () => {
    const tank = await aCluster({ nodes: 0, options: { ...options, ...(plugins !== '' && { 'enable-admission-plugins': plugins }) } });
    for (const [index, step] of steps.entries()) {
      const answered = ask(tank, step);
      const expected = facts[name]?.[index] ?? null;
      if (step.isSetup !== true) expect({ step, said: saidOf(step, answered) }).toEqual({ step, said: expected });
    }
  });
});

const configuration = (exemptions: object): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: [
      {
        name: 'PodSecurity',
        configuration: {
          apiVersion: 'pod-security.admission.config.k8s.io/v1',
          kind: 'PodSecurityConfiguration',
          defaults: { enforce: 'baseline', warn: 'baseline' },
          exemptions,
        },
      },
    ],
  });

describe('PodSecurity by configuration', () => {
  const bare = { metadata: { name: 'p' }, spec: { hostNetwork: true, containers: [{ name: 'c', image: 'x' }] } };

  it.each([
    [{}, undefined, 403],
    [{ namespaces: ['default'] }, undefined, 201],
    [{ usernames: ['jane'] }, undefined, 403],
    [{ usernames: ['kubernetes-admin'] }, undefined, 201],
    [{ runtimeClasses: ['r'] }, 'r', 201],
  ])('with exemptions %j', async (exemptions, runtimeClassName, code) => {
    const tank = await aCluster({ nodes: 0, options: { 'admission-control-config-file': configuration(exemptions) } });
    await tank.advance(5000);
    tank.call('POST', '/apis/node.k8s.io/v1/runtimeclasses', { metadata: { name: 'r' }, handler: 'h' });
    const body = { ...bare, spec: { ...bare.spec, ...(runtimeClassName && { runtimeClassName }) } };
    expect(ask(tank, { method: 'POST', path: '/api/v1/namespaces/default/pods', body }).code).toBe(code);
  });

  it('tells who labels a namespace that is exempt', async () => {
    const tank = await aCluster({ nodes: 0, options: { 'admission-control-config-file': configuration({ namespaces: ['free'] }) } });
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    const { warnings } = ask(tank, { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'free', labels } } });
    expect(warnings).toEqual([
      '299 - "namespace \\"free\\" is exempt from Pod Security, and the policy (enforce=restricted:latest) will be ignored"',
    ]);
  });
});
