/** What clients meet who create, read and complete objects that wait for initializers, as with a real 1.13.12 (initializers.json, written by record-initializers.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import type { HttpResponse } from '../../../engine/apiserver/http-types.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { type Case, cases, factOf, type Step } from './initializers.ts';

const facts = JSON.parse(readFileSync(join(import.meta.dirname, 'initializers.json'), 'utf8')) as { readonly [name: string]: readonly unknown[] };

/** The wall clock of a client who has waited long enough when a test says so. */
class Patience {
  readonly #calls = new Set<() => void>();

  readonly after = (_delayMs: number, call: () => void): (() => void) => {
    this.#calls.add(call);
    return () => this.#calls.delete(call);
  };

  end(): void {
    for (const call of [...this.#calls]) call();
    this.#calls.clear();
  }
}

const hop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function settled<T>(promise: Promise<T>): Promise<boolean> {
  let is = false;
  void promise.then(() => (is = true));
  for (let i = 0; i < 20 && !is; i++) await hop();
  return is;
}

async function send({ door }: TestCluster, { method, path, body, type = 'application/json', as }: Step): Promise<unknown> {
  const [route = '', query = ''] = path.split('?', 2);
  const response = await door.serve({
    method,
    path: route,
    query,
    headers: { accept: 'application/json', 'content-type': type, 'user-agent': 'test', ...(as === undefined ? {} : { 'impersonate-user': as }) },
    body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
    identity: adminIdentity,
  });
  return factOf(statusOf(response), textOf(response), path.includes('watch'));
}

function statusOf(response: HttpResponse): number {
  return 'upgrade' in response ? 101 : response.status;
}

function textOf(response: HttpResponse): string {
  if ('upgrade' in response) return '';
  const chunks: string[] = [];
  const add = (chunk: string | Uint8Array): void => void chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
  if ('open' in response) response.open({ write: (chunk) => add(typeof chunk === 'function' ? chunk() : chunk), end: () => {} })();
  else if (typeof response.body === 'string' || response.body instanceof Uint8Array) add(response.body);
  else for (const chunk of response.body) add(chunk);
  return chunks.join('');
}

async function play({ gate = true, plugin = true, steps }: Case): Promise<{ readonly made: TestCluster; readonly told: readonly unknown[] }> {
  const patience = new Patience();
  const options = {
    'runtime-config': 'api/all=true',
    ...(gate && { 'feature-gates': 'Initializers=true' }),
    ...(plugin && { 'enable-admission-plugins': 'Initializers' }),
  };
  const made = await aCluster({ seed: 1, nodes: 0, release: '1.13', options }, { after: patience.after });
  await made.advance(5000);
  const { metadata } = made.call('GET', '/api/v1/namespaces/default/configmaps');
  const waiting = new Map<string, Promise<unknown>>();
  const told: unknown[] = [];
  for (const step of steps) {
    if ('answerTo' in step) {
      const answer = waiting.get(step.answerTo) as Promise<unknown>;
      if (!(await settled(answer))) patience.end();
      told.push(await answer);
      continue;
    }
    const asked = send(made, { ...step, path: step.path.replace('{start}', metadata.resourceVersion ?? '') });
    if (step.later === true) {
      waiting.set(step.does, asked);
      await hop();
      continue;
    }
    if (!(await settled(asked))) patience.end();
    told.push(await asked);
  }
  return { made, told };
}

describe('initializers of release 1.13', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', async (name, one) => {
    const { told } = await play(one);
    const steps = one.steps.filter((step) => 'answerTo' in step || step.later !== true);
    for (const [index, step] of steps.entries())
      expect.soft(told[index], 'answerTo' in step ? `answer to ${step.answerTo}` : step.does).toEqual(facts[name]?.[index]);
  });
});
