/** What is asked of Services in clusters of one family and of two; the same of the real API server and of ours. */
import type { JsonObject } from '../../../engine/base/json.ts';

/** `--service-cluster-ip-range` of each cluster. */
export const clusters = {
  'four and six': '10.96.0.0/16,fd00:10:96::/108',
  'six and four': 'fd00:10:96::/108,10.96.0.0/16',
  six: 'fd00:10:96::/108',
  four: '10.96.0.0/16',
} as const;

export type ClusterName = keyof typeof clusters;

/** The first creates; `set` replaces fields of the spec as it is read back, a null one goes. */
export type Step = { readonly create: JsonObject } | { readonly put: JsonObject } | { readonly merge: JsonObject };

export interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
}

const ports = [{ port: 80 }];
const selector = { app: 'a' };
const plain = { ports, selector };
const create = (more: JsonObject = {}): Step => ({ create: { ...plain, ...more } });
const put = (set: JsonObject): Step => ({ put: set });
const merge = (spec: JsonObject): Step => ({ merge: spec });

const policies = ['SingleStack', 'PreferDualStack', 'RequireDualStack'];
const lists = [['IPv4'], ['IPv6'], ['IPv4', 'IPv6'], ['IPv6', 'IPv4']];
const four = '10.96.7.7';
const six = 'fd00:10:96::7:7';
const both = { clusterIP: four, clusterIPs: [four, six] };

const creations: readonly Case[] = [
  { name: 'nothing said', steps: [create()] },
  ...policies.map((ipFamilyPolicy) => ({ name: ipFamilyPolicy, steps: [create({ ipFamilyPolicy })] })),
  ...lists.flatMap((ipFamilies) => [
    { name: ipFamilies.join(), steps: [create({ ipFamilies })] },
    ...policies.map((ipFamilyPolicy) => ({ name: `${ipFamilyPolicy} ${ipFamilies.join()}`, steps: [create({ ipFamilyPolicy, ipFamilies })] })),
  ]),
  { name: 'a policy that is none', steps: [create({ ipFamilyPolicy: 'Both' })] },
  { name: 'a family that is none', steps: [create({ ipFamilies: ['IPv5'] })] },
  { name: 'a family twice', steps: [create({ ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4', 'IPv4'] })] },
  { name: 'three families', steps: [create({ ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4', 'IPv6', 'IPv4'] })] },
  { name: 'an address of four', steps: [create({ clusterIP: four })] },
  { name: 'an address of six', steps: [create({ clusterIP: six })] },
  { name: 'two addresses, nothing said', steps: [create(both)] },
  { name: 'two addresses in one field', steps: [create({ clusterIPs: [four, six] })] },
  { name: 'two addresses, preferred', steps: [create({ ipFamilyPolicy: 'PreferDualStack', ...both })] },
  { name: 'two addresses, six first', steps: [create({ ipFamilyPolicy: 'RequireDualStack', clusterIP: six, clusterIPs: [six, four] })] },
  { name: 'two addresses of one family', steps: [create({ ipFamilyPolicy: 'RequireDualStack', clusterIP: four, clusterIPs: [four, '10.96.7.8'] })] },
  {
    name: 'addresses against families',
    steps: [create({ ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6', 'IPv4'], ...both })],
  },
  { name: 'one address and two families', steps: [create({ ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv6', 'IPv4'], clusterIP: six })] },
  { name: 'an address outside of the range of four', steps: [create({ clusterIP: '10.97.0.1' })] },
  { name: 'an address outside of the range of six', steps: [create({ clusterIP: 'fd00:10:97::1' })] },
  {
    name: 'the second address outside',
    steps: [create({ ipFamilyPolicy: 'PreferDualStack', clusterIP: four, clusterIPs: [four, 'fd00:10:97::1'] })],
  },
  { name: 'the first address of the range', steps: [create({ clusterIP: '10.96.0.0' })] },
  { name: 'the last address of the range', steps: [create({ clusterIP: '10.96.255.255' })] },
  { name: 'the first address of the range of six', steps: [create({ clusterIP: 'fd00:10:96::' })] },
  { name: 'the last address of the range of six', steps: [create({ clusterIP: 'fd00:10:96::f:ffff' })] },
  { name: 'an address of six at length', steps: [create({ clusterIP: 'fd00:0010:0096:0000:0000:0000:0007:0007' })] },
  { name: 'without an address and a selector', steps: [{ create: { ports, clusterIP: 'None' } }] },
  ...policies.map((ipFamilyPolicy) => ({
    name: `without an address and a selector, ${ipFamilyPolicy}`,
    steps: [{ create: { ports, clusterIP: 'None', ipFamilyPolicy } }],
  })),
  { name: 'without an address and a selector, of six', steps: [{ create: { ports, clusterIP: 'None', ipFamilies: ['IPv6'] } }] },
  { name: 'without an address, with a selector', steps: [create({ clusterIP: 'None' })] },
  ...policies.map((ipFamilyPolicy) => ({ name: `without an address, ${ipFamilyPolicy}`, steps: [create({ clusterIP: 'None', ipFamilyPolicy })] })),
  { name: 'None and an address', steps: [create({ clusterIP: 'None', clusterIPs: ['None', six] })] },
  { name: 'an alias with a policy', steps: [{ create: { type: 'ExternalName', externalName: 'a.b', ipFamilyPolicy: 'SingleStack' } }] },
  {
    name: 'an alias',
    steps: [{ create: { type: 'ExternalName', externalName: 'a.b' } }, put({ type: 'ClusterIP', externalName: null, ports })],
  },
  {
    name: 'an alias that becomes two',
    steps: [{ create: { type: 'ExternalName', externalName: 'a.b' } }, put({ type: 'ClusterIP', ports, ipFamilyPolicy: 'PreferDualStack' })],
  },
  { name: 'a balancer of two', steps: [create({ type: 'LoadBalancer', ipFamilyPolicy: 'PreferDualStack', allocateLoadBalancerNodePorts: false })] },
];

const changes: readonly Case[] = [
  { name: 'up by preference', steps: [create(), merge({ ipFamilyPolicy: 'PreferDualStack' })] },
  { name: 'up by requirement', steps: [create(), merge({ ipFamilyPolicy: 'RequireDualStack' })] },
  { name: 'up from six', steps: [create({ ipFamilies: ['IPv6'] }), merge({ ipFamilyPolicy: 'PreferDualStack' })] },
  {
    name: 'up with the second family',
    steps: [create({ ipFamilies: ['IPv4'] }), put({ ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] })],
  },
  {
    name: 'up with another first family',
    steps: [create({ ipFamilies: ['IPv4'] }), put({ ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6', 'IPv4'] })],
  },
  { name: 'up with an address', steps: [create({ clusterIP: four }), merge({ ipFamilyPolicy: 'RequireDualStack', ...both })] },
  {
    name: 'up with an address that is taken',
    steps: [create({ clusterIP: four }), merge({ ipFamilyPolicy: 'PreferDualStack', clusterIPs: [four, 'fd00:10:96::1'] })],
  },
  { name: 'up with an address and no policy', steps: [create({ clusterIP: four }), merge({ ...both })] },
  { name: 'up and down by policy', steps: [create({ ipFamilyPolicy: 'PreferDualStack' }), merge({ ipFamilyPolicy: 'SingleStack' })] },
  { name: 'required and then preferred', steps: [create({ ipFamilyPolicy: 'RequireDualStack' }), merge({ ipFamilyPolicy: 'PreferDualStack' })] },
  {
    name: 'down by families alone',
    steps: [create({ ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] }), put({ ipFamilies: ['IPv4'] })],
  },
  { name: 'down by addresses alone', steps: [create({ ipFamilyPolicy: 'RequireDualStack', ...both }), put({ clusterIPs: [four] })] },
  {
    name: 'down by families and policy',
    steps: [
      create({ ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4', 'IPv6'] }),
      put({ ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }),
    ],
  },
  {
    name: 'down by addresses and policy',
    steps: [create({ ipFamilyPolicy: 'PreferDualStack', ...both }), put({ clusterIPs: [four], ipFamilyPolicy: 'SingleStack' })],
  },
  {
    name: 'down to the second',
    steps: [create({ ipFamilyPolicy: 'PreferDualStack', ...both }), put({ clusterIP: six, clusterIPs: [six], ipFamilyPolicy: 'SingleStack' })],
  },
  { name: 'another first address', steps: [create({ clusterIP: four }), put({ clusterIP: '10.96.7.9', clusterIPs: ['10.96.7.9'] })] },
  {
    name: 'another second address',
    steps: [create({ ipFamilyPolicy: 'PreferDualStack', ...both }), put({ clusterIPs: [four, 'fd00:10:96::7:8'] })],
  },
  {
    name: 'turned round',
    steps: [create({ ipFamilyPolicy: 'RequireDualStack', ...both }), put({ clusterIP: six, clusterIPs: [six, four] })],
  },
  { name: 'families turned round', steps: [create({ ipFamilyPolicy: 'RequireDualStack' }), put({ ipFamilies: ['IPv6', 'IPv4'] })] },
  {
    name: 'all fields left out',
    steps: [create({ ipFamilyPolicy: 'PreferDualStack' }), put({ clusterIP: null, clusterIPs: null, ipFamilies: null, ipFamilyPolicy: null })],
  },
  { name: 'the policy left out', steps: [create({ ipFamilyPolicy: 'PreferDualStack' }), put({ ipFamilyPolicy: null })] },
  { name: 'an alias at last', steps: [create({ ipFamilyPolicy: 'PreferDualStack' }), put({ type: 'ExternalName', externalName: 'a.b' })] },
  { name: 'without an address, up', steps: [create({ clusterIP: 'None' }), merge({ ipFamilyPolicy: 'PreferDualStack' })] },
  {
    name: 'without an address, down',
    steps: [create({ clusterIP: 'None', ipFamilyPolicy: 'PreferDualStack' }), merge({ ipFamilyPolicy: 'SingleStack' })],
  },
  { name: 'an address for None', steps: [create({ clusterIP: 'None' }), put({ clusterIP: four, clusterIPs: [four] })] },
  { name: 'a label, and nothing of addresses', steps: [create({ ipFamilyPolicy: 'PreferDualStack' }), merge({ sessionAffinity: 'ClientIP' })] },
];

export const cases: readonly Case[] = [...creations, ...changes];

/** What is compared of an answer: drawn addresses by their family. */
export interface StepFact {
  readonly code: number;
  readonly message?: string;
  readonly spec?: JsonObject;
}

/** Sends to a server; `path` below `/api/v1/namespaces/default/services`. */
export type Send = (
  method: string,
  path: string,
  body: object | undefined,
  type: string,
) => Promise<{ readonly code: number; readonly value: JsonObject }>;

const chosen = new Set([four, six, '10.96.7.8', '10.96.7.9', 'fd00:10:96::7:8', 'None', '']);

/** Plays a case, with addresses of its own: the real server forgets for a while that one is free. It removes what it made. */
export async function play({ name, steps }: Case, send: Send): Promise<readonly StepFact[]> {
  const facts: StepFact[] = [];
  const own = cases.findIndex((one) => one.name === name);
  const [fourth, last] = [String(own + 100), (own + 256).toString(16)];
  const forth = (text: string): string => text.replaceAll('10.96.7.', `10.96.${fourth}.`).replace(/(96::7|0007):(?:000)?([78])/g, `$1:${last}$2`);
  const back = (text: string): string =>
    text.replaceAll(`10.96.${fourth}.`, '10.96.7.').replace(new RegExp(`(96::7|0007):${last}([78])`, 'g'), '$1:$2');
  for (const step of steps) {
    const { code, value } = await answerTo(JSON.parse(forth(JSON.stringify(step))) as Step, send);
    facts.push(factOf(code, JSON.parse(back(JSON.stringify(value))) as JsonObject));
    if (code >= 400) break;
  }
  await send('DELETE', '/s', undefined, 'application/json');
  return facts;
}

async function answerTo(step: Step, send: Send): ReturnType<Send> {
  if ('create' in step)
    return send('POST', '', { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: step.create }, 'application/json');
  if ('merge' in step) return send('PATCH', '/s', { spec: step.merge }, 'application/merge-patch+json');
  const { value } = await send('GET', '/s', undefined, 'application/json');
  return send('PUT', '/s', { ...value, spec: { ...(value['spec'] as JsonObject), ...step.put } }, 'application/json');
}

function factOf(code: number, value: JsonObject): StepFact {
  if (code >= 400) return { code, message: named(String(value['message'])) };
  const { type, clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy } = value['spec'] as JsonObject;
  const spec = JSON.parse(JSON.stringify({ type, clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy })) as JsonObject;
  return { code, spec: JSON.parse(named(JSON.stringify(spec))) as JsonObject };
}

/** Drawn addresses: of the ranges, and not one that the cases name. */
function named(text: string): string {
  return text
    .replace(/10\.96\.\d+\.\d+(?!\/)/g, (ip) => (chosen.has(ip) || /\.0\.\d$|255\.255/.test(ip) ? ip : 'drawn4'))
    .replace(/fd00:10:96::(?:[0-9a-f]+(?::[0-9a-f]+)*)?(?!\/)/g, (ip) => (chosen.has(ip) || /::1?$|f:ffff$/.test(ip) ? ip : 'drawn6'));
}
