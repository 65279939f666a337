/**
 * Records what a real 1.13.12 answers in each case of initializers.ts. `old-apiserver.sh up PORT` starts it, anew for each pair of settings, with
 * `OLD_FLAGS="--runtime-config=api/all=true --feature-gates=Initializers=GATE --enable-admission-plugins=Initializers"` (the last only with PLUGIN):
 * `NODE_TLS_REJECT_UNAUTHORIZED=0 TOKEN=… record-initializers.ts https://127.0.0.1:PORT GATE PLUGIN` adds to the file what it tells; the token stands in
 * its kubeconfig. On the port where nobody is asked who he is everybody may do all.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Case, cases, factOf, type Step } from './initializers.ts';

const [server = '', gate, plugin] = process.argv.slice(2);
const file = join(import.meta.dirname, 'initializers.json');
const token = process.env['TOKEN'] ?? '';
const facts: { [name: string]: readonly unknown[] } = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as typeof facts) : {};

async function send({ method, path, body, type = 'application/json', as }: Step): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type, ...(as === undefined ? {} : { 'impersonate-user': as }) };
  const answer = await fetch(`${server}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return factOf(answer.status, await answer.text(), path.includes('watch'));
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function play({ steps }: Case): Promise<readonly unknown[]> {
  const list = (await (await fetch(`${server}/api/v1/namespaces/default/configmaps`, { headers: { authorization: `Bearer ${token}` } })).json()) as {
    readonly metadata: { readonly resourceVersion: string };
  };
  const waiting = new Map<string, Promise<unknown>>();
  const told: unknown[] = [];
  for (const step of steps) {
    if ('answerTo' in step) {
      told.push(await waiting.get(step.answerTo));
      continue;
    }
    const asked = send({ ...step, path: step.path.replace('{start}', list.metadata.resourceVersion) });
    if (step.later === true) waiting.set(step.does, asked);
    else told.push(await asked);
    // It looks for configurations once a second.
    await pause(step.path.includes('initializerconfigurations') ? 2500 : step.later === true ? 300 : 0);
  }
  return told;
}

for (const one of cases) if (String(one.gate ?? true) === gate && String(one.plugin ?? true) === plugin) facts[one.name] = await play(one);
writeFileSync(file, `${JSON.stringify(Object.fromEntries(cases.map(({ name }) => [name, facts[name]])), null, 2)}\n`);
