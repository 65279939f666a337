/** The text of an answer as a review, read as Go's decoder of JSON and YAML reads it. Each fault is in its words. */
import { goKind } from '../../../apimachinery/serializer/go-names.ts';
import { decodeJson } from '../../../apimachinery/serializer/json.ts';
import { DecodeError, readBytes } from '../../../apimachinery/serializer/scalars.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { unmarshalYaml } from '../../../apimachinery/serializer/yaml.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json.ts';

/** What Go reads kind and version into. */
export const typeMeta = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** A kind of review, which comes in v1 and v1beta1 of its group. */
export interface ReviewForm {
  readonly group: string;
  readonly kind: string;
  /** Of the first field of the response that has another type, in Go's words. */
  typeFault(response: JsonValue | undefined): string | undefined;
}

/** What a text says; undefined where it is neither JSON nor YAML. */
export function valueIn(text: string): JsonValue | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** JSON, else YAML. Throws DecodeError. */
export function parse(text: string): JsonValue {
  try {
    return decodeJson(text).value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return unmarshalYaml(text).value;
  }
}

/** `version` is the one that was asked in; what has no kind or version is taken to be of it. A text says what is wrong. */
export function reviewIn(text: string, version: string, form: ReviewForm = admissionForm): JsonObject | string {
  const { group, kind: wanted } = form;
  let value: JsonValue;
  try {
    value = parse(text);
  } catch (error) {
    if (error instanceof DecodeError) return `couldn't get version/kind; json parse error: ${error.message}`;
    throw error;
  }
  if (!isObject(value))
    return `couldn't get version/kind; json parse error: json: cannot unmarshal ${goKind(value)} into Go value of type ${typeMeta}`;
  const { kind, apiVersion } = value;
  const givenKind = typeof kind === 'string' && kind !== '' ? kind : wanted;
  const givenVersion = typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : `${group}/${version}`;
  const given = givenVersion.slice(group.length + 1);
  if (givenKind !== wanted || (givenVersion !== `${group}/v1` && givenVersion !== `${group}/v1beta1`))
    return `no kind ${goQuote(givenKind)} is registered for version ${goQuote(givenVersion)} in scheme "pkg/runtime/scheme.go:111"`;
  const fault = form.typeFault(value['response']);
  if (fault !== undefined) return fault;
  return given === version ? value : `converting (${given}.${wanted}) to (${version}.${wanted}): unknown conversion`;
}

const fields: { readonly [name: string]: readonly [isRight: (value: JsonValue) => boolean, type: string] } = {
  uid: [isText, 'types.UID'],
  allowed: [(value) => typeof value === 'boolean', 'bool'],
  patchType: [isText, 'v1.PatchType'],
  auditAnnotations: [isObject, 'map[string]string'],
  warnings: [(value) => Array.isArray(value), '[]string'],
};

function bytesFault(patch: JsonValue): string | undefined {
  try {
    readBytes(patch, 'AdmissionResponse', () => 'response.patch');
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  return undefined;
}

export function isText(value: JsonValue): boolean {
  return typeof value === 'string';
}

const admissionForm: ReviewForm = { group: 'admission.k8s.io', kind: 'AdmissionReview', typeFault };

function typeFault(response: JsonValue | undefined): string | undefined {
  if (response === undefined || response === null) return undefined;
  const fault = (value: JsonValue, path: string, type: string): string =>
    `json: cannot unmarshal ${goKind(value)} into Go struct field ${path} of type ${type}`;
  if (!isObject(response)) return fault(response, 'AdmissionReview.response', 'v1.AdmissionResponse');
  const patchFault = bytesFault(response['patch'] ?? '');
  if (patchFault !== undefined) return patchFault;
  for (const [name, [isRight, type]] of Object.entries(fields)) {
    const value = response[name];
    if (value === undefined || value === null) continue;
    const path = `AdmissionResponse.response.${name}`;
    if (!isRight(value)) return fault(value, path, type);
    const inner = name === 'warnings' ? (value as readonly JsonValue[]) : name === 'auditAnnotations' ? Object.values(value as JsonObject) : [];
    const wrong = inner.find((one) => typeof one !== 'string');
    if (wrong !== undefined) return fault(wrong, path, 'string');
  }
  return undefined;
}
