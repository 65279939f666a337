/**
 * Records what the real server and its controller manager say of the types of expressions.
 *   KUBECONFIG=… node build/with-node.mjs test/contract/policy-types/record.ts
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from '../../../engine/base/json.ts';
import { definition, policies, type TypedPolicy, written } from './cases.ts';
import { policyOf, refusalOf, type Status, warningsOf, writtenPolicyOf } from './requests.ts';

const config = readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8');
const server = /server: "([^"]*)"/.exec(config)?.[1] ?? '';
const token = /token: "?([0-9a-f]+)"?/.exec(config)?.[1] ?? '';
const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

function ask(method: string, where: string, body?: JsonObject): JsonObject {
  const args = [
    '-sk',
    '-X',
    method,
    '-H',
    `Authorization: Bearer ${token}`,
    '-H',
    'Content-Type: application/json',
    '--data-binary',
    '@-',
    server + where,
  ];
  const { stdout } = spawnSync('curl', args, { input: body === undefined ? '' : JSON.stringify(body), encoding: 'utf8', maxBuffer: 1 << 26 });
  return JSON.parse(stdout) as JsonObject;
}

ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
// The controller manager looks for new kinds every 30 s.
await wait(40_000);
const typed: { [name: string]: unknown } = {};
// What is refused already when it is written is asked below.
const isAccepted = (policy: TypedPolicy, expression: string): boolean =>
  ask('POST', `${path}?dryRun=All`, policyOf({ ...policy, expressions: [expression] }))['kind'] !== 'Status';
const sent = policies.map((policy) => ({ ...policy, expressions: policy.expressions.filter((one) => isAccepted(policy, one)) }));
for (const policy of sent) ask('POST', path, policyOf(policy));
await wait(20_000);
for (const { name, expressions } of sent) {
  const made = ask('GET', `${path}/${name}`) as JsonObject & { readonly status?: Status };
  typed[name] = { expressions, warnings: warningsOf(made.status) };
  ask('DELETE', `${path}/${name}`);
}
const refused = written.map((expression) => [expression, refusalOf(ask('POST', `${path}?dryRun=All`, writtenPolicyOf(expression)))]);
writeFileSync(new URL('facts.json', import.meta.url), `${JSON.stringify({ typed, refused }, undefined, 1)}\n`);
