/** Records what a real 1.13.12 makes of each pod, from the server that record-policies.ts asks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bad, pods, presets } from './pod-presets.ts';
import { objectsOf } from './pod-security-policies.ts';

const server = process.argv[2] ?? '';
const namespaced = `${server}/apis/settings.k8s.io/v1alpha1/namespaces/default/podpresets`;

async function send(
  method: string,
  url: string,
  body?: object,
): Promise<{ readonly status: number; readonly object: { readonly [key: string]: unknown } }> {
  const answer = await fetch(url, { method, headers: { 'content-type': 'application/json' }, ...(body && { body: JSON.stringify(body) }) });
  return { status: answer.status, object: (await answer.json()) as { readonly [key: string]: unknown } };
}

await send('DELETE', `${server}/apis/policy/v1beta1/podsecuritypolicies/only`);
await send('POST', `${server}/apis/policy/v1beta1/podsecuritypolicies`, objectsOf({ name: '', policy: {} }).policy);
const facts: { [name: string]: unknown } = {};
for (const [name, body] of Object.entries(bad)) facts[name] = (await send('POST', namespaced, body)).object['message'];
for (const preset of presets) await send('POST', namespaced, preset);
await new Promise((resolve) => setTimeout(resolve, 1000));
for (const [name, body] of Object.entries(pods)) {
  const { object } = await send('POST', `${server}/api/v1/namespaces/default/pods`, body);
  const { metadata, spec } = object as { readonly metadata?: { readonly annotations?: object }; readonly spec?: object };
  facts[name] = { annotations: Object.keys(metadata?.annotations ?? {}).filter((key) => key !== 'kubernetes.io/psp'), spec };
  await send('DELETE', `${server}/api/v1/namespaces/default/pods/p`, { gracePeriodSeconds: 0 });
}
writeFileSync(join(import.meta.dirname, 'pod-presets.json'), `${JSON.stringify(facts, null, 2)}\n`);
