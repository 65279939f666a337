/** MutatingAdmissionWebhook: one after the other, each sees what those before it made. Mirrors apiserver pkg/admission/plugin/webhook/mutating. */
import type { MutatingWebhook } from '../../../api/admissionregistration/v1/types.gen.ts';
import { newInternalError } from '../../../apimachinery/errors.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { decodeJson, encodeJson } from '../../../apimachinery/serializer/json.ts';
import { DecodeError } from '../../../apimachinery/serializer/scalars.ts';
import { StatusError } from '../../../apimachinery/status.ts';
import { decodeBase64 } from '../../../base/base64.ts';
import { deepEqual } from '../../../base/equal.ts';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import type { AdmissionAttributes, AdmittedResource } from '../../admission.ts';
import { isExemptFromWebhooks } from '../hooks/matching.ts';
import { patchFault, patchJson } from '../hooks/json-patches.ts';
import type { Placed, WatchedObjects } from '../hooks/sources.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import type { Reinvocation } from '../reinvocation.ts';
import { answersInTime, CallFailure } from './calls.ts';
import type { ReviewAnswer } from './review.ts';
import { callingFailed, count, denial, heard, prepare, type WebhookTools } from './verdict.ts';
import { type ConfiguredHook, invocationOf, layeredHooks, type VersionedObjects, versionedObjects } from './webhooks.ts';

const name = 'MutatingAdmissionWebhook';
const mutationPrefix = 'mutation.webhook.admission.k8s.io/';
const patchPrefix = 'patch.webhook.admission.k8s.io/';

export function createMutatingWebhooks(configurations: Placed<WatchedObjects>, tools: WebhookTools): AdmissionPlugin {
  const hooks = layeredHooks<MutatingWebhook>(configurations);
  return defineAdmissionPlugin({
    name,
    verbs: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    seesAll: true,
    mutate(attributes, reinvocation) {
      const all = hooks.list(isExemptFromWebhooks(attributes));
      if (all.length === 0) return attributes.object;
      return new Round(attributes, reinvocation, tools).run(all.flat());
    },
  });
}

/** One pass over all webhooks with one object, which some of them change. */
class Round {
  readonly #attributes: AdmissionAttributes;
  readonly #reinvocation: Reinvocation;
  readonly #tools: WebhookTools;
  /** In the form that the last webhook saw. */
  #current: VersionedObjects;

  constructor(attributes: AdmissionAttributes, reinvocation: Reinvocation, tools: WebhookTools) {
    this.#attributes = attributes;
    this.#reinvocation = reinvocation;
    this.#tools = tools;
    this.#current = versionedObjects(attributes, attributes.forms.requested);
  }

  run(hooks: readonly ConfiguredHook<MutatingWebhook>[]): KubeObject | undefined {
    const { forms, object } = this.#attributes;
    const again = this.#reinvocation.of(name);
    if (this.#reinvocation.isSecond) again.beginSecond(object);
    for (const [index, one] of hooks.entries()) this.#offer(one, index);
    const { form, object: made } = this.#current;
    const result = made === undefined ? undefined : forms.convert(made, form, forms.requested);
    again.ended(result);
    return result;
  }

  #offer(one: ConfiguredHook<MutatingWebhook>, index: number): void {
    const { hook } = one;
    const again = this.#reinvocation.of(name);
    const now = this.#inForm(this.#attributes.forms.requested);
    const attributes = { ...this.#attributes, object: now.object };
    const onExcluded = (): void => this.#tools.metrics.excluded(hook.name, 'admit', attributes.verb);
    const form = invocationOf(one, attributes, (asked) => this.#inForm(asked), onExcluded);
    if (form === undefined || (this.#reinvocation.isSecond && !again.isAgain(one.id))) return;
    this.#current = this.#inForm(form);
    const isChanged = this.#call(one, index);
    if (isChanged) {
      again.requireAgain();
      this.#reinvocation.isAskedFor = true;
    }
    if (hook.reinvocationPolicy === 'IfNeeded') again.invoked(one.id);
  }

  #inForm(form: AdmittedResource): VersionedObjects {
    const { form: from, object, oldObject } = this.#current;
    if (form.group === from.group && form.version === from.version) return this.#current;
    const convert = (value: KubeObject | undefined): KubeObject | undefined => value && this.#attributes.forms.convert(value, from, form);
    return { form, object: convert(object), oldObject: convert(oldObject) };
  }

  /** Whether it changed the object. Throws what refuses the request. */
  #call(one: ConfiguredHook<MutatingWebhook>, index: number): boolean {
    const { hook } = one;
    const attributes = this.#attributes;
    const place = `round_${this.#reinvocation.isSecond ? 1 : 0}_index_${index}`;
    const prepared = prepare(one, attributes, this.#current, this.#tools, 'admit');
    const [answer] = 'call' in prepared ? answersInTime([prepared.call], attributes) : [];
    const isIgnored = hook.failurePolicy === 'Ignore';
    const judge = (code: number, error?: unknown): void =>
      count(this.#tools, hook, 'admit', attributes, { prepared, place: `${one.id} ${place}`, answer, code, error, isIgnored });
    let isChanged = false;
    try {
      const read = heard(prepared, answer, one, attributes, 'admit');
      if (!read.isAllowed) throw denial(hook.name, read.result);
      isChanged = this.#patch(read, one, place);
      judge(200);
    } catch (error) {
      if (error instanceof CallFailure) {
        judge(error.code, error);
        if (!isIgnored) throw callingFailed(hook.name, error);
        attributes.annotate(`failed-open.${mutationPrefix}${place}`, hook.name);
      } else {
        judge(error instanceof StatusError ? error.status.code : 0, error);
        throw error;
      }
    } finally {
      const { configuration } = one;
      attributes.annotate(`${mutationPrefix}${place}`, encodeJson({ configuration, webhook: hook.name, mutated: isChanged }));
    }
    return isChanged;
  }

  #patch({ patch, patchType }: ReviewAnswer, { hook, configuration }: ConfiguredHook<MutatingWebhook>, place: string): boolean {
    if (patch === '') return false;
    const operations = readPatch(patch);
    if (operations.length === 0) return false;
    const { object, form } = this.#current;
    if (object === undefined)
      throw newInternalError(`admission webhook ${goQuote(hook.name)} attempted to modify the object, which is not supported for this operation`);
    if (patchType !== 'JSONPatch') throw new CallFailure(`unsupported patch type ${goQuote(patchType)}`, 400);
    const next = this.#applied(object as unknown as JsonObject, operations, form);
    this.#attributes.annotate(`${patchPrefix}${place}`, encodeJson({ configuration, webhook: hook.name, patch: operations, patchType: 'JSONPatch' }));
    this.#current = { ...this.#current, object: next };
    return !deepEqual(object, next);
  }

  #applied(object: JsonObject, operations: readonly JsonValue[], form: AdmittedResource): KubeObject {
    const patched = patchJson(object, operations);
    if (patched === undefined) throw newInternalError(patchFault(object, operations));
    try {
      return this.#attributes.forms.read(patched, form);
    } catch (error) {
      if (error instanceof DecodeError) throw newInternalError(error.message);
      throw error;
    }
  }
}

function readPatch(base64: string): readonly JsonValue[] {
  const failed = (why: string): CallFailure => new CallFailure(`received undecodable patch in webhook response: ${why}`, 503);
  const text = new TextDecoder().decode(decodeBase64(base64));
  try {
    const { value } = decodeJson(text);
    if (Array.isArray(value)) return value as readonly JsonValue[];
    const kind = value === null ? '' : typeof value;
    if (kind === '') return [];
    throw failed(`json: cannot unmarshal ${kind === 'boolean' ? 'bool' : kind} into Go value of type jsonpatch.Patch`);
  } catch (error) {
    if (error instanceof DecodeError) throw failed(literalFault(text) ?? error.message);
    throw error;
  }
}

/** Go's scanner reads what begins like a literal as one, and says where it ends to be. */
function literalFault(text: string): string | undefined {
  const start = text.trimStart();
  const literal = ['null', 'true', 'false'].find((word) => word.startsWith(start.charAt(0)) && start !== '');
  if (literal === undefined || start.startsWith(literal)) return undefined;
  const at = [...literal].findIndex((letter, i) => start.charAt(i) !== letter);
  const found = start.charAt(at);
  if (found === '') return 'unexpected end of JSON input';
  return `invalid character '${found}' in literal ${literal} (expecting '${literal.charAt(at)}')`;
}
