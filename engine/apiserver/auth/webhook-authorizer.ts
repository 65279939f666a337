/** A webhook that decides what somebody may. Mirrors apiserver plugin/pkg/authorizer/webhook. */
import { parseFieldSelector } from '../../apimachinery/fields.ts';
import { parseSelector } from '../../apimachinery/label-parser.ts';
import { SelectorError } from '../../apimachinery/labels.ts';
import type { JsonObject } from '../../base/json.ts';
import { celOf } from '../../cel/json.ts';
import type { CelEnvironment, CelProgram } from '../../cel/program.ts';
import { type Compiled, compileExpression } from '../../cel/admission.ts';
import { kubernetesFunctions } from '../../cel/kubernetes.ts';
import { bool, type CelType, listOf, mapOf, string } from '../../cel/types.ts';
import { CelError } from '../../cel/values.ts';
import type { Identity } from '../../contracts/request.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from '../authorizer.ts';
import type { AuthorizationMetrics } from './authorization-metrics.ts';
import { type Asked, CallFailure, fieldFault, reviewPrefix, reviewQuestion, type StatusReview, statusIn } from './review-webhook.ts';

export interface AuthorizationWebhook {
  /** Path on the host. */
  readonly kubeconfig: string;
  readonly version: 'v1' | 'v1beta1';
  /** Wall time of one try. */
  readonly timeoutMs: number;
  /** Virtual time for which a yes and a no count; 0 for none. */
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
  /** What it means when it gives no answer. */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** Expressions over `request`; it is asked only where all are true. */
  readonly conditions: readonly string[];
}

/** How questions to them begin. */
export const authorizerPrefix = `${reviewPrefix}authorizer/`;

const form: StatusReview = {
  group: 'authorization.k8s.io',
  kind: 'SubjectAccessReview',
  emptyStatus: { allowed: false },
  typeFault: (status, version) =>
    fieldFault(status, { holder: 'SubjectAccessReview', path: 'status', type: 'SubjectAccessReviewStatus' }, version, {
      allowed: 'flag',
      denied: 'flag',
      reason: 'text',
      evaluationError: 'text',
    }),
};

/** What somebody asks about may be as long as she likes: such answers are not kept. */
const keptCharactersMax = 10_000;

/** `conditions` have been compiled before: they are right. */
export function createWebhookAuthorizer(name: string, webhook: AuthorizationWebhook, metrics: AuthorizationMetrics): Authorizer {
  const { kubeconfig, version, timeoutMs, failurePolicy } = webhook;
  const asked: Asked = { name: `authorizer/${name}`, kubeconfig, form, version, timeoutMs, isOfIdentities: true };
  const conditions = webhook.conditions.map((expression) => ({ expression, program: compileCondition(expression) }));
  const failed = (error: string): Decision => ({ allowed: false, reason: '', error, ...(failurePolicy === 'Deny' && { denied: true }) });
  const heard = (status: JsonObject | CallFailure, tookMs: number): void => {
    const result = status instanceof CallFailure ? (isLate(status) ? 'timeout' : 'error') : 'success';
    metrics.evaluated(name, result, { seconds: tookMs / 1000, hasFailedOpen: result !== 'success' && failurePolicy === 'NoOpinion' });
  };
  const judged = (spec: JsonObject): boolean | string => {
    const beganMs = metrics.nowMs();
    const met = isMet(conditions, spec);
    metrics.conditions(name, typeof met === 'string' ? undefined : met, (metrics.nowMs() - beganMs) / 1000);
    return met;
  };
  return {
    authorize(identity, attributes, ask) {
      const spec = specOf(identity, attributes);
      const met = conditions.length === 0 ? true : judged(spec);
      if (typeof met === 'string') return failed(met);
      if (!met) return { allowed: false, reason: '' };
      const isShort = controlledCharacters(attributes) < keptCharactersMax;
      const sent = version === 'v1beta1' ? asV1beta1(spec) : spec;
      const keptMs = ({ allowed }: JsonObject): number => (!isShort ? 0 : allowed === true ? webhook.authorizedMs : webhook.unauthorizedMs);
      const question = reviewQuestion(asked, sent, keptMs, { ...attributes, username: identity.name }, heard);
      const status = statusIn(ask(question), asked);
      return status instanceof CallFailure ? failed(status.message) : decisionOf(status);
    },
  };
}

function isLate({ code, message }: CallFailure): boolean {
  return code === 504 || message.includes('context deadline exceeded');
}

function decisionOf(status: JsonObject): Decision {
  const [allowed, denied] = [status['allowed'] === true, status['denied'] === true];
  const reason = typeof status['reason'] === 'string' ? status['reason'] : '';
  if (allowed && denied) return { allowed: false, denied, reason, error: 'webhook subject access review returned both allow and deny response' };
  return denied ? { allowed, denied, reason } : { allowed, reason };
}

function controlledCharacters({ namespace, verb, group, version, resource, subresource, name, path }: AuthorizationAttributes): number {
  return [namespace, verb, group, version, resource, subresource, name, path].reduce((sum, part) => sum + part.length, 0);
}

/** The spec of a SubjectAccessReview in v1, as it is written: what is empty is left out. */
function specOf({ name, uid, groups, extra }: Identity, attributes: AuthorizationAttributes): JsonObject {
  const { isResource, path, verb } = attributes;
  return {
    ...(isResource ? { resourceAttributes: resourceAttributesOf(attributes) } : { nonResourceAttributes: filled({ path, verb }) }),
    ...filled({ user: name }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(extra === undefined ? {} : { extra: extra as JsonObject }),
    ...filled({ uid: uid ?? '' }),
  };
}

function resourceAttributesOf(attributes: AuthorizationAttributes): JsonObject {
  const { namespace, verb, group, version, resource, subresource, name, fieldSelector, labelSelector } = attributes;
  return {
    ...filled({ namespace, verb, group, version, resource, subresource, name }),
    ...selectorOf('fieldSelector', fieldSelector, fieldRequirements),
    ...selectorOf('labelSelector', labelSelector, labelRequirements),
  };
}

/** A selector only narrows: one that cannot be read is none. */
function selectorOf(name: string, text: string | undefined, read: (text: string) => readonly JsonObject[]): JsonObject {
  if (text === undefined) return {};
  try {
    const requirements = read(text);
    return requirements.length === 0 ? {} : { [name]: { requirements } };
  } catch (error) {
    if (error instanceof SelectorError) return {};
    throw error;
  }
}

function fieldRequirements(text: string): readonly JsonObject[] {
  return parseFieldSelector(text).requirements.map(({ field, operator, value }) => ({
    key: field,
    operator: operator === '=' ? 'In' : 'NotIn',
    values: [value],
  }));
}

const labelOperators: ReadonlyMap<string, string> = new Map([
  ['=', 'In'],
  ['==', 'In'],
  ['in', 'In'],
  ['!=', 'NotIn'],
  ['notin', 'NotIn'],
  ['exists', 'Exists'],
  ['!', 'DoesNotExist'],
]);

function labelRequirements(text: string): readonly JsonObject[] {
  return parseSelector(text).requirements.flatMap(({ key, operator, values }) => {
    const written = labelOperators.get(operator);
    return written === undefined ? [] : [{ key, operator: written, ...(values.length === 0 ? {} : { values }) }];
  });
}

function filled(fields: { readonly [name: string]: string }): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

/** There groups are named `group`. */
function asV1beta1(spec: JsonObject): JsonObject {
  const { groups, extra, uid, ...rest } = spec;
  return {
    ...rest,
    ...(groups === undefined ? {} : { group: groups }),
    ...(extra === undefined ? {} : { extra }),
    ...(uid === undefined ? {} : { uid }),
  };
}

const object = (name: string, fields: { readonly [name: string]: CelType }): CelType => ({
  kind: 'object',
  name: `kubernetes.${name}`,
  fields: new Map(Object.entries(fields)),
});
const requirement = object('SelectorRequirement', { key: string, operator: string, values: listOf(string) });
const selector = { rawSelector: string, requirements: listOf(requirement) };
const requestType = object('SubjectAccessReviewSpec', {
  resourceAttributes: object('ResourceAttributes', {
    ...{ namespace: string, verb: string, group: string, version: string, resource: string, subresource: string, name: string },
    fieldSelector: object('FieldSelectorAttributes', selector),
    labelSelector: object('LabelSelectorAttributes', selector),
  }),
  nonResourceAttributes: object('NonResourceAttributes', { path: string, verb: string }),
  user: string,
  groups: listOf(string),
  extra: mapOf(string, listOf(string)),
  uid: string,
});
const environment: CelEnvironment = { variables: new Map([['request', requestType]]), functions: kubernetesFunctions, isStrict: true };
const limits = { costMax: 10_000_000, stepsMax: 1_000_000 };

export function compileCondition(expression: string): Compiled {
  return compileExpression(expression, environment, [bool]);
}

interface Condition {
  readonly expression: string;
  readonly program: Compiled;
}

/** A text says what could not be evaluated, where none is false. */
function isMet(conditions: readonly Condition[], spec: JsonObject): boolean | string {
  const faults: string[] = [];
  const values = new Map([['request', celOf(shownOf(spec))]]);
  for (const { expression, program } of conditions) {
    if ('fault' in program) return program.fault;
    const met = evaluated(expression, program, values);
    if (met === false) return false;
    if (typeof met === 'string') faults.push(met);
  }
  return faults.length === 0 ? true : faults.length === 1 ? (faults[0] ?? '') : `[${faults.join(', ')}]`;
}

function evaluated(expression: string, program: CelProgram, values: Parameters<CelProgram['evaluate']>[0]): boolean | string {
  try {
    return program.evaluate(values, limits).value === true;
  } catch (error) {
    if (error instanceof CelError) return `cel evaluation error: expression '${expression}' resulted in error: ${error.message}`;
    throw error;
  }
}

/** Expressions see every text, the empty ones too. */
function shownOf(spec: JsonObject): JsonObject {
  const { resourceAttributes, nonResourceAttributes } = spec as { readonly [part: string]: JsonObject | undefined };
  const empty = { namespace: '', verb: '', group: '', version: '', resource: '', subresource: '', name: '' };
  return {
    ...{ user: '', groups: [], uid: '', extra: {} },
    ...spec,
    ...(resourceAttributes === undefined ? {} : { resourceAttributes: { ...empty, ...resourceAttributes } }),
    ...(nonResourceAttributes === undefined ? {} : { nonResourceAttributes: { path: '', verb: '', ...nonResourceAttributes } }),
  };
}
