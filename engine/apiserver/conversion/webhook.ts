/**
 * Versions of custom objects that a webhook makes of each other. Mirrors apiextensions-apiserver
 * pkg/apiserver/conversion/webhook_converter.go. What it is asked for one request it is asked once, with all objects of it.
 */
import type { CustomResourceDefinition, WebhookConversion } from '../../api/apiextensions/v1/types.gen.ts';
import { newStatusError } from '../../apimachinery/errors.ts';
import { type KubeObject, parseGroupVersion } from '../../apimachinery/object.ts';
import { encodeJson } from '../../apimachinery/serializer/json.ts';
import { goTypeOf } from '../../apimachinery/go-value.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { uuidOf } from '../../base/uuid.ts';
import type { ConversionAsker, ObjectConversion } from '../../contracts/kind.ts';
import type { QuestionSubject } from '../../contracts/questions.ts';
import { UnreadableError } from '../../registry/readable.ts';
import { answersTo, CallFailure, type Caller, prepareCall, textOf } from '../admission/webhooks/calls.ts';
import { ConversionFault, withMetadataOf } from './metadata.ts';
import { convertedIn, reviewOf, reviewVersionOf, textAt } from './review.ts';

/** Upstream's client waits that long. */
const timeoutSeconds = 30;

export interface WebhookConversionOptions extends Caller {
  readonly definition: CustomResourceDefinition;
  /** SHA-256 as hex: a review is named by what it asks, so that a request that begins again asks the same. */
  hash(text: string): string;
}

/** Undefined where versions of the definition follow from each other. */
export function createWebhookConversion({ definition, hash, ...caller }: WebhookConversionOptions): ObjectConversion | undefined {
  const { conversion } = definition.spec;
  if (conversion?.strategy !== 'Webhook' || !conversion.webhook?.clientConfig) return undefined;
  const { webhook } = conversion;
  return {
    convert: (objects, apiVersion, asker) => {
      const [first] = objects;
      if (first === undefined) return [];
      const what = `conversion webhook for ${first.apiVersion}, Kind=${first.kind}`;
      try {
        const call = { definition, webhook, apiVersion, objects: objects.map(withoutRevision) };
        const converted = converse(call, asker, { hash, ...caller });
        if (converted.length !== objects.length) throw new ConversionFault(`returned ${converted.length} objects, expected ${objects.length}`);
        return converted.map((one, i) => read(one, objects[i] as KubeObject, apiVersion, i));
      } catch (error) {
        if (error instanceof UnreadableObject) throw new UnreadableError(error.message);
        if (error instanceof CallFailure) throw new UnreadableError(`${what} failed: ${error.message}`);
        if (error instanceof ConversionFault) throw new UnreadableError(`${what} ${error.message}`);
        throw error;
      }
    },
  };
}

/** What is read has its revision only afterwards, and what is written has none yet. */
function withoutRevision(object: KubeObject): KubeObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** What was converted cannot be read at all; said without saying by whom. */
class UnreadableObject extends Error {}

interface Conversation {
  readonly definition: CustomResourceDefinition;
  readonly webhook: WebhookConversion;
  readonly apiVersion: string;
  readonly objects: readonly KubeObject[];
}

/** The objects that came back, as they came. */
function converse(
  { definition, webhook, apiVersion, objects }: Conversation,
  asker: ConversionAsker,
  { hash, ...caller }: Omit<WebhookConversionOptions, 'definition'>,
): readonly JsonValue[] {
  const version = reviewVersionOf(webhook.conversionReviewVersions ?? []);
  if (version === undefined) throw newStatusError(500, '', 'no supported conversion review versions');
  const uid = uuidOf(hash(encodeJson([apiVersion, objects as unknown as JsonValue])));
  const review = reviewOf(uid, version, apiVersion, objects);
  const { url, caBundle, service } = webhook.clientConfig ?? {};
  const client = { ...(url ? { url } : {}), ...(service ? { service } : {}), caBundle: isBlank(caBundle ?? '') ? '' : (caBundle as string) };
  const hook = `conversion_webhook_for_${definition.metadata.name ?? ''}`;
  const call = prepareCall({ hook, client, timeoutSeconds, review, about: aboutOf(definition, objects) }, asker, caller);
  const [answer] = answersTo([call], asker);
  const found = convertedIn(textOf(answer as NonNullable<typeof answer>, call.url), uid, version);
  if (typeof found === 'string') throw new CallFailure(found, 500);
  return found;
}

/** One object is named; of several there is nothing to say but how they are called. */
function aboutOf({ spec }: CustomResourceDefinition, objects: readonly KubeObject[]): QuestionSubject {
  const { apiVersion, metadata } = objects[0] as KubeObject;
  const { namespace = '', name = '' } = objects.length === 1 ? metadata : {};
  return { verb: 'convert', group: spec.group, version: parseGroupVersion(apiVersion)?.version ?? '', resource: spec.names.plural, namespace, name };
}

/** A bundle of nothing but white space counts as none. */
function isBlank(base64: string): boolean {
  return atob(base64).trim() === '';
}

function read(converted: JsonValue, original: KubeObject, apiVersion: string, index: number): KubeObject {
  if (converted === null) throw new UnreadableObject('unexpected end of JSON input');
  if (!isObject(converted)) throw new UnreadableObject(`json: cannot unmarshal ${jsonKind(converted)} into Go value of type map[string]interface {}`);
  const kind = textAt(converted, 'kind');
  if (kind === '') throw new UnreadableObject(`Object 'Kind' is missing in '${encodeJson(converted)}'`);
  checkType(converted, kind, original, apiVersion, index);
  return withMetadataOf(original, converted);
}

function checkType(converted: JsonObject, kind: string, original: KubeObject, apiVersion: string, index: number): void {
  const given = parseGroupVersion(textAt(converted, 'apiVersion'));
  const text = given === undefined ? '' : textAt(converted, 'apiVersion');
  const at = `returned invalid object at index ${index}`;
  if (text !== apiVersion) throw new ConversionFault(`${at}: invalid groupVersion (expected ${apiVersion}, received ${text})`);
  if (kind !== original.kind) throw new ConversionFault(`${at}: invalid kind (expected ${original.kind}, received ${kind})`);
}

function jsonKind(value: JsonValue): string {
  const type = goTypeOf(value);
  return type === 'int64' || type === 'float64' ? 'number' : Array.isArray(value) ? 'array' : type;
}
