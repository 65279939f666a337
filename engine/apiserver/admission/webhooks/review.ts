/** What a webhook is asked, and whether its answer is one. Mirrors apiserver pkg/admission/plugin/webhook/request/admissionreview.go. */
import { getOwn } from '../../../base/dictionary.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { readBytes } from '../../../apimachinery/serializer/scalars.ts';
import type { Status } from '../../../apimachinery/status.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { requestOf } from '../hooks/expressions.ts';
import type { VersionedObjects } from './webhooks.ts';

export type ReviewVersion = 'v1' | 'v1beta1';

/** The first version that both know; undefined where there is none. */
export function reviewVersionOf(accepted: readonly string[] | null | undefined): ReviewVersion | undefined {
  return (accepted ?? []).find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1');
}

export function reviewOf(
  uid: string,
  version: ReviewVersion,
  attributes: AdmissionAttributes,
  { form, object, oldObject }: VersionedObjects,
): JsonObject {
  const { options, dryRun, operation, userInfo, ...place } = requestOf(attributes, form);
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: {
      uid,
      ...place,
      operation: operation as JsonValue,
      userInfo: userInfo as JsonValue,
      object: (object ?? null) as JsonValue,
      oldObject: (oldObject ?? null) as JsonValue,
      dryRun: dryRun as JsonValue,
      options: options ?? null,
    },
  };
}

export interface ReviewAnswer {
  readonly isAllowed: boolean;
  /** Base64. */
  readonly patch: string;
  readonly patchType: string;
  readonly result: Partial<Status> | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: { readonly [key: string]: string };
}

/** A text says what is wrong with it. */
export function readAnswer(review: JsonObject, uid: string, version: ReviewVersion, isMutating: boolean): ReviewAnswer | string {
  const response = review['response'];
  if (!isObject(response)) return 'webhook response was absent';
  const patch = patchOf(response);
  const patchType = getOwn(response, 'patchType') ?? undefined;
  const fault = version === 'v1' ? faultOf(review, response, uid, isMutating) : undefined;
  if (fault !== undefined) return fault;
  const result = response['status'];
  return {
    isAllowed: response['allowed'] === true,
    patch: isMutating ? patch : '',
    patchType: version === 'v1' ? String(patchType ?? '') : patch === '' ? '' : 'JSONPatch',
    result: isObject(result) ? (result as unknown as Partial<Status>) : undefined,
    warnings: Array.isArray(response['warnings']) ? (response['warnings'] as readonly string[]) : [],
    auditAnnotations: isObject(response['auditAnnotations']) ? (response['auditAnnotations'] as { readonly [key: string]: string }) : {},
  };
}

function faultOf(review: JsonObject, response: JsonObject, uid: string, isMutating: boolean): string | undefined {
  const given = textOf(response, 'uid');
  if (given !== uid) return `expected response.uid=${goQuote(uid)}, got ${goQuote(given)}`;
  const [wanted, got] = [kindText('admission.k8s.io/v1', 'AdmissionReview'), kindText(textOf(review, 'apiVersion'), textOf(review, 'kind'))];
  if (got !== wanted) return `expected webhook response of ${wanted}, got ${got}`;
  const hasPatch = patchOf(response) !== '';
  const patchType = getOwn(response, 'patchType') ?? undefined;
  if (!isMutating) {
    if (hasPatch) return 'validating webhook may not return response.patch';
    return patchType === undefined ? undefined : 'validating webhook may not return response.patchType';
  }
  if (hasPatch && patchType === undefined) return 'webhook returned response.patch but not response.patchType';
  if (!hasPatch && patchType !== undefined) return 'webhook returned response.patchType but not response.patch';
  return patchType === '' ? 'webhook returned invalid response.patchType of ""' : undefined;
}

/** As Go prints group, version and kind. */
function kindText(apiVersion: string, kind: string): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

/** Its type was judged when the review was read. */
function patchOf(response: JsonObject): string {
  const patch = getOwn(response, 'patch') ?? '';
  return readBytes(patch, 'AdmissionResponse', () => 'response.patch');
}

function textOf(object: JsonObject, name: string): string {
  const value = getOwn(object, name);
  return typeof value === 'string' ? value : '';
}
