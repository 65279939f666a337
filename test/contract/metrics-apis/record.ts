/**
 * Records what the real kube-controller-manager makes of metrics of other servers. Before a control plane with the gate and a period that
 * leaves time to look (KCM_FLAGS="--horizontal-pod-autoscaler-sync-period=10s --feature-gates=HPAScaleToZero=true", API_FLAGS likewise):
 *   KUBECONFIG=… ADAPTER_PORT=24150 NODE_TLS_REJECT_UNAUTHORIZED=0 node build/with-node.mjs test/contract/metrics-apis/record.ts [compare]
 * With `compare` it tells where what it sees differs from what is recorded, and records nothing: for a controller manager of ours there.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createAuthority, issueCertificate } from '../../../engine/serving/certificates.ts';
import { readPeerKubeconfig } from '../../support/peer-kubeconfig.ts';
import { type Facts, type MetricCase, metricCases, type Registration, registrations } from './cases.ts';
import {
  answerTo,
  autoscalerPath,
  autoscalerSteps,
  caseOf,
  definition,
  eventsPath,
  factsOf,
  namespaceStep,
  plainly,
  registering,
  type Step,
  unregistering,
  widgetPath,
  worldSteps,
} from './play.ts';

const { KUBECONFIG = '', ADAPTER_PORT = '24150' } = process.env;
const port = Number(ADAPTER_PORT);
const { server, token } = readPeerKubeconfig(KUBECONFIG);
const isComparison = process.argv.includes('compare');
/** After the first look of the controller, and before its second one. */
const eventsMs = 2_500;
const asked = new Map<string, string[]>();

async function send({ method, path, body }: Step): Promise<{ readonly code: number; readonly body: object }> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const response = await fetch(server + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { code: response.status, body: (await response.json()) as object };
}

/** Until it is taken: accounts of namespaces come a moment after them. */
async function must(step: Step): Promise<object> {
  for (let tries = 1; ; tries++) {
    const { code, body } = await send(step);
    if (code < 300 || (code === 409 && step.method === 'POST') || (code === 404 && step.method === 'DELETE')) return body;
    if (tries > 60) throw new Error(`${step.method} ${step.path}: ${JSON.stringify(body)}`);
    await setTimeout(250);
  }
}

function serveMetrics(): void {
  const authority = createAuthority('adapter');
  const keys = issueCertificate(authority, { commonName: 'adapter', names: ['adapter.default.svc'], usage: 'server', days: 1 });
  const adapter = createServer({ cert: keys.certificatePem, key: keys.keyPem }, (request, response) => {
    const [path = '', query] = (request.url ?? '').split('?', 2);
    const found = caseOf(metricCases, path);
    if (found === undefined) {
      response.setHeader('content-type', 'application/json');
      return void response.end(
        JSON.stringify({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: path.split('/').slice(2).join('/'), resources: [] }),
      );
    }
    asked.set(found.name, [...(asked.get(found.name) ?? []), plainly(query === undefined ? path : `${path}?${query}`)]);
    const { code, type, body } = answerTo(metricCases, path);
    response.writeHead(code, { 'content-type': type });
    response.end(body);
  });
  adapter.listen(port, '127.0.0.1');
}

async function record(each: MetricCase): Promise<Facts> {
  for (const step of autoscalerSteps(each)) await must(step);
  const before = each.status === undefined ? 0 : 1;
  const path = autoscalerPath(each);
  type Read = { readonly status?: { readonly conditions?: readonly object[] } };
  let autoscaler: object = {};
  for (let tries = 0; tries < 300; tries++) {
    autoscaler = await must({ method: 'GET', path });
    if (((autoscaler as Read).status?.conditions ?? []).length > before) break;
    await setTimeout(100);
  }
  await setTimeout(eventsMs);
  const events = await must({ method: 'GET', path: eventsPath(each) });
  const widget = await must({ method: 'GET', path: widgetPath(each) });
  await must({ method: 'DELETE', path });
  return factsOf(autoscaler, events, widget, asked.get(each.name) ?? []);
}

async function recordAll(registered: Registration, facts: Map<string, Facts>): Promise<void> {
  const cases = metricCases.filter((each) => each.registered === registered);
  for (const step of registering(registered, port)) await must(step);
  for (const each of cases) {
    await must(namespaceStep(each));
    for (const step of worldSteps(each)) await must(step);
  }
  // The version that is preferred is looked up anew with each period, and which kinds there are every half minute.
  await setTimeout(registered === 'none' ? 42_000 : 22_000);
  await Promise.all(cases.map(async (each) => facts.set(each.name, await record(each))));
  for (const step of unregistering(registered)) await must(step);
}

serveMetrics();
await must(definition);
for (const [name, at] of [['adapter', port] as const, ['gone', port] as const]) {
  const spec = { type: 'ExternalName', externalName: name === 'gone' ? 'gone.invalid' : 'localhost', ports: [{ port: at }] };
  await must({ method: 'POST', path: '/api/v1/namespaces/default/services', body: { metadata: { name }, spec } });
}
const facts = new Map<string, Facts>();
for (const registered of registrations) await recordAll(registered, facts);
const file = new URL('recorded.json', import.meta.url);
const told = Object.fromEntries(metricCases.map(({ name }) => [name, facts.get(name)]));
if (!isComparison) writeFileSync(file, `${JSON.stringify(told, undefined, 1)}\n`);
else {
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as { readonly [name: string]: Facts };
  const others = metricCases.filter(({ name }) => !isDeepStrictEqual(recorded[name], told[name]));
  for (const { name } of others) console.log(name, JSON.stringify({ recorded: recorded[name], told: told[name] }, undefined, 1));
  console.log(`${metricCases.length - others.length} of ${metricCases.length} as recorded`);
}
process.exit(0);
