/**
 * What a webhook that converts is asked, and whether its answer is one. Mirrors apiextensions-apiserver
 * pkg/apiserver/conversion/webhook_converter.go. Each fault is in its words.
 */
import type { KubeObject } from '../../apimachinery/object.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { getOwn } from '../../base/dictionary.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { goKind } from '../../apimachinery/serializer/go-names.ts';
import { isText, type ReviewForm, reviewIn } from '../admission/webhooks/replies.ts';

const group = 'apiextensions.k8s.io';
const kind = 'ConversionReview';

export type ReviewVersion = 'v1' | 'v1beta1';

/** The first version that both know; undefined where there is none. */
export function reviewVersionOf(accepted: readonly string[]): ReviewVersion | undefined {
  return accepted.find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1');
}

export function reviewOf(uid: string, version: ReviewVersion, desiredAPIVersion: string, objects: readonly KubeObject[]): JsonObject {
  const request = { uid, desiredAPIVersion, objects: objects as unknown as readonly JsonValue[] };
  return { kind, apiVersion: `${group}/${version}`, request, response: { uid: '', convertedObjects: null, result: { metadata: {} } } };
}

/** What came back instead of the objects, or why nothing did. */
export function convertedIn(text: string, uid: string, version: ReviewVersion): readonly JsonValue[] | string {
  const review = reviewIn(text, version, conversionForm);
  if (typeof review === 'string') return review;
  const response = review['response'];
  if (version === 'v1') {
    const got = gvkText(review);
    if (got !== `${group}/v1, Kind=${kind}`) return `expected webhook response of ${group}/v1, Kind=${kind}, got ${got}`;
  }
  if (!isObject(response)) return 'no response provided';
  const given = textAt(response, 'uid');
  if (version === 'v1' && given !== uid) return `expected response.uid=${goQuote(uid)}, got ${goQuote(given)}`;
  const result = getOwn(response, 'result');
  const status = isObject(result) ? textAt(result, 'status') : '';
  if (status !== 'Success') {
    const message = isObject(result) ? textAt(result, 'message') : '';
    return message === '' ? `response.result.status was '${status}', not 'Success'` : message;
  }
  const objects = getOwn(response, 'convertedObjects');
  return Array.isArray(objects) ? (objects as readonly JsonValue[]) : [];
}

const conversionForm: ReviewForm = {
  group,
  kind,
  typeFault: (response) => {
    if (response === undefined || response === null) return undefined;
    const wrong = (value: JsonValue, path: string, type: string): string =>
      `json: cannot unmarshal ${goKind(value)} into Go struct field ${path} of type ${type}`;
    if (!isObject(response)) return wrong(response, `${kind}.response`, 'v1.ConversionResponse');
    const { uid = null, convertedObjects = null, result = null } = response;
    const path = 'ConversionResponse.response';
    if (uid !== null && !isText(uid)) return wrong(uid, `${path}.uid`, 'types.UID');
    if (convertedObjects !== null && !Array.isArray(convertedObjects))
      return wrong(convertedObjects, `${path}.convertedObjects`, '[]runtime.RawExtension');
    if (result === null) return undefined;
    if (!isObject(result)) return wrong(result, `${path}.result`, 'v1.Status');
    const odd = ['status', 'message', 'reason'].find((name) => result[name] !== undefined && result[name] !== null && !isText(result[name]));
    return odd === undefined ? undefined : wrong(result[odd] as JsonValue, `Status.response.result.${odd}`, 'string');
  },
};

function gvkText(object: JsonObject): string {
  const apiVersion = textAt(object, 'apiVersion');
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${textAt(object, 'kind')}`;
}

export function textAt(object: JsonObject, name: string): string {
  const value = getOwn(object, name);
  return typeof value === 'string' ? value : '';
}
