/**
 * Records what a real 1.13.12 makes of each pod (and of pods where a preset is): `node build/with-node.mjs
 * test/contract/old-release/record-policies.ts http://127.0.0.1:PORT`, the server started by ../shared/peers/old-apiserver.sh with
 * `OLD_FLAGS="--enable-admission-plugins=PodSecurityPolicy,PodPreset --runtime-config=api/all=true"`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judged, objectsOf } from './pod-security-policies.ts';

const server = process.argv[2] ?? '';
const policies = `${server}/apis/policy/v1beta1/podsecuritypolicies`;
const pods = `${server}/api/v1/namespaces/default/pods`;

async function send(
  method: string,
  url: string,
  body?: object,
): Promise<{ readonly status: number; readonly object: { readonly [key: string]: unknown } }> {
  const answer = await fetch(url, { method, headers: { 'content-type': 'application/json' }, ...(body && { body: JSON.stringify(body) }) });
  return { status: answer.status, object: (await answer.json()) as { readonly [key: string]: unknown } };
}

const facts: { [name: string]: unknown } = {};
for (const one of judged) {
  const { policy, pod } = objectsOf(one);
  await send('DELETE', `${policies}/only`);
  const made = await send('POST', policies, policy);
  if (made.status !== 201) throw new Error(`${one.name}: ${JSON.stringify(made.object)}`);
  // Its plugin reads policies from a cache.
  await new Promise((resolve) => setTimeout(resolve, 400));
  const { status, object } = await send('POST', pods, pod);
  const { metadata, spec, message } = object as {
    readonly metadata?: { readonly annotations?: object };
    readonly spec?: object;
    readonly message?: string;
  };
  facts[one.name] = status === 201 ? { annotations: metadata?.annotations ?? null, spec } : { status, message };
  await send('DELETE', `${pods}/p`, { gracePeriodSeconds: 0 });
}
writeFileSync(join(import.meta.dirname, 'pod-security-policies.json'), `${JSON.stringify(facts, null, 2)}\n`);
