/** Expressions that do not fit their kinds are warned of, and those that are wrong refused, in the words of the real server (`record.ts`). */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../engine/base/json.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { definition, policies, written } from './cases.ts';
import { policyOf, refusalOf, type Status, warningsOf, writtenPolicyOf } from './requests.ts';
import facts from './facts.json' with { type: 'json' };

interface Typed {
  readonly expressions: readonly string[];
  readonly warnings: readonly (readonly [fieldRef: string, warning: string])[];
}

const typed = facts.typed as unknown as { readonly [name: string]: Typed };
const refused = facts.refused as unknown as readonly (readonly [expression: string, message: string])[];
const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

function ask({ door }: TestCluster, method: string, url: string, body?: JsonObject): JsonObject {
  const [where = '', query = ''] = url.split('?', 2);
  const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const response = door.serveAtOnce({ method, path: where, query, headers, body: bytes, identity: adminIdentity });
  if (!('body' in response)) throw new Error(`${method} ${url} answered a stream`);
  const chunks = typeof response.body === 'string' || response.body instanceof Uint8Array ? [response.body] : [...response.body];
  return JSON.parse(chunks.map((chunk) => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))).join('')) as JsonObject;
}

describe('the status of a policy', () => {
  it.each(policies.map((policy) => [policy.name, policy] as const))('of %s tells what does not fit', async (name, policy) => {
    const tank = await aCluster({ nodes: 0 });
    ask(tank, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    await tank.advance(1000);
    const { expressions = [], warnings = [] } = typed[name] ?? {};
    ask(tank, 'POST', path, policyOf({ ...policy, expressions }));
    await tank.advance(1000);
    const { status } = ask(tank, 'GET', `${path}/${name}`) as JsonObject & { readonly status?: Status };
    expect(warningsOf(status)).toEqual(warnings);
  });
});

describe('an expression that is written', async () => {
  const tank = await aCluster({ nodes: 0 });

  /** How the real parser goes on behind what it cannot read, and messages of protobuf that can be written down. */
  const differing = ['{1, 2}', '? a : b', '!', '-', '/* comment */ true', 'in', 'if (true) true', 'object.in'];
  const isEqual = (expression: string): boolean => !differing.includes(expression) && !expression.startsWith('google.');

  it.each(refused.filter(([expression]) => isEqual(expression)))('%s', (expression, message) => {
    expect(refusalOf(ask(tank, 'POST', `${path}?dryRun=All`, writtenPolicyOf(expression)))).toBe(message);
  });

  it.each(refused.filter(([expression]) => !isEqual(expression)))('%s is refused, in other words', (expression) => {
    expect(refusalOf(ask(tank, 'POST', `${path}?dryRun=All`, writtenPolicyOf(expression)))).toMatch(/compilation failed: ERROR: <input>:1:/);
  });

  it('was asked, each', () => expect(refused.map(([expression]) => expression)).toEqual(written));
});
