/**
 * What a gate of release 1.36 changes in what the API server answers: put before a real one by record.ts, with all of these gates on and with all of
 * them off, and before ours by gates.contract.test.ts. What `before` makes is made with the gates on, also where they are off later.
 */
import { deviceCases } from './device-cases.ts';
import { kindCases } from './kind-cases.ts';
import { podCases } from './pod-cases.ts';
import { requestCases } from './request-cases.ts';

export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly type?: string;
  readonly headers?: { readonly [name: string]: string };
  /** Paths into the answer, where it is no refusal; `name=x` finds an element of a list. Without any only code, warnings and text of a refusal count. */
  readonly shown?: readonly string[];
}

export interface GateCase {
  readonly gate: string;
  readonly name: string;
  readonly before?: readonly Step[];
  readonly steps: readonly Step[];
}

/** What an API server answered to a step. */
export interface Told {
  readonly code: number;
  readonly message?: string;
  readonly warnings?: readonly string[];
  readonly shown?: { readonly [path: string]: unknown };
}

/** What came back, of whichever server. */
export interface Came {
  readonly code: number;
  readonly warnings: readonly string[];
  readonly text: string;
}

export type Asked = (step: Step) => Promise<Came>;

export const gateCases: readonly GateCase[] = [...podCases, ...deviceCases, ...kindCases, ...requestCases];

/** Those that other gates of the cases need: in the state `bases` they alone are on, so that what the others do is seen by itself. */
const bases = [
  'MatchLabelKeysInPodTopologySpread',
  'GenericWorkload',
  'DRAResourceClaimDeviceStatus',
  'DRAPrioritizedList',
  'ResourceHealthStatus',
  'NodeDeclaredFeatures',
];

/** The gates that are switched for all of the cases together; what needs one of them goes with it. */
export const switched: readonly string[] = [
  ...new Set([
    ...gateCases.map(({ gate }) => gate),
    ...bases,
    ...['ExtendWebSocketsToKubelet', 'GangScheduling', 'MatchLabelKeysInPodTopologySpreadSelectorMerge'],
  ]),
].sort();

export const states = ['on', 'off', 'bases'] as const;
export type State = (typeof states)[number];

/** The option `--feature-gates` of a state. */
export function gatesOf(state: State): string {
  return switched.map((gate) => `${gate}=${state === 'on' || (state === 'bases' && bases.includes(gate))}`).join(',');
}

/** As the server is started for them, ours and the real one. */
export const serverOptions = { 'runtime-config': 'api/all=true', 'disable-admission-plugins': 'ServiceAccount' } as const;

export async function makeBefore(ask: Asked, cases: readonly GateCase[]): Promise<void> {
  const refused: string[] = [];
  for (const { name, before = [] } of cases)
    for (const step of before) {
      const { code, text } = await ask(step);
      if (code >= 400) refused.push(`${name}: ${step.method} ${step.path}: ${text}`);
    }
  if (refused.length > 0) throw new Error(refused.join('\n'));
}

export async function play(ask: Asked, { steps }: GateCase): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (const step of steps) told.push(tell(step, await ask(step)));
  return told;
}

function tell({ shown }: Step, { code, warnings, text }: Came): Told {
  const told = warnings.filter((warning) => !comesLater.test(warning));
  const warned = told.length > 0 ? { warnings: told } : {};
  if (code >= 400) return { code, message: messageOf(text).replace(uids, 'UID').replace(addresses, '0x'), ...warned };
  const found = shown?.map((path) => [path, at(bodyOf(text), path)] as const);
  return { code, ...warned, ...(found === undefined ? {} : { shown: Object.fromEntries(found) }) };
}

const uids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Where something lies in the memory of Go. */
const addresses = /0x[0-9a-f]+/g;
/** The recorded server was built without a version, and tells of all deprecations that will come. */
const comesLater = /is deprecated in v1\.(3[7-9]|4\d)/;

function messageOf(text: string): string {
  if (!text.startsWith('{')) return text;
  return (JSON.parse(text) as { readonly message?: string }).message ?? '';
}

/** An object, or the events of a watch. */
function bodyOf(text: string): unknown {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.every((line) => line.startsWith('{"type":')) ? lines.map((line) => JSON.parse(line) as unknown) : JSON.parse(text);
}

function at(body: unknown, path: string): unknown {
  let found: unknown = body;
  for (const part of path.split('/')) {
    if (typeof found !== 'object' || found === null) return null;
    const [key = '', value] = part.split('=');
    if (part === '*') return (found as readonly unknown[]).map((one) => at(one, path.slice(path.indexOf('*/') + 2)));
    if (Array.isArray(found) && value !== undefined) found = found.find((one: { readonly [key: string]: unknown }) => one[key] === value);
    else found = (found as { readonly [key: string]: unknown })[part];
  }
  return found ?? null;
}
