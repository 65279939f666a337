/**
 * What a client makes of an answer that is no success: the Status that it carries, or words of its own by the code. Mirrors client-go
 * rest/request.go (transformResponse, newUnstructuredResponseError).
 */
import { isObject } from '../base/json.ts';
import { newGenericServerResponse, newInternalError } from './errors.ts';
import { type Status, StatusError } from './status.ts';

export interface Refused {
  readonly code: number;
  readonly contentType: string;
  readonly text: string;
  /** HTTP method. */
  readonly method: string;
  readonly group: string;
  readonly resource: string;
  readonly name?: string | undefined;
  readonly retryAfterSeconds?: number;
}

/** A good answer that is none of the form that was asked for. */
export class UnreadableAnswer extends StatusError {
  /** As it came. */
  readonly text: string;

  constructor(contentType: string, text: string) {
    const [type = ''] = contentType.split(';');
    const isJson = type.trim() === 'application/json';
    const message = isJson ? `couldn't get version/kind; json parse error: ${jsonFault(text)}` : `serializer for ${type.trim()} doesn't exist`;
    super({ ...newInternalError(message).status, message });
    this.text = text;
  }
}

/** As Go's decoder words it of a text that is no object. */
function jsonFault(text: string): string {
  const first = text.trimStart()[0];
  if (first === undefined) return 'unexpected end of JSON input';
  try {
    return notAnObject(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return '{["-0123456789tfn'.includes(first) ? 'unexpected end of JSON input' : `invalid character ${goRune(first)} looking for beginning of value`;
  }
}

/** Go's words for a value that should have been an object. */
export function notAnObject(value: unknown): string {
  const what = Array.isArray(value) ? 'array' : value === null || typeof value === 'boolean' ? 'bool' : typeof value;
  const field = (name: string): string => `string ${JSON.stringify(`json:${JSON.stringify(`${name},omitempty`)}`)}`;
  return `json: cannot unmarshal ${what} into Go value of type struct { APIVersion ${field('apiVersion')}; Kind ${field('kind')} }`;
}

function goRune(character: string): string {
  return character === "'" ? "'\\''" : `'${character}'`;
}

/** As much of an answer's text as upstream tells. */
const textMax = 2048;

export function errorOfAnswer({ code, contentType, text, method, group, resource, name, retryAfterSeconds }: Refused): StatusError {
  const status = statusIn(text);
  if (status !== undefined) return new StatusError({ ...status, code: status.code ?? code });
  return newGenericServerResponse({
    code,
    verb: method,
    resource: { group, resource },
    ...(name === undefined ? {} : { name }),
    serverMessage: contentType.startsWith('text/') ? text.slice(0, textMax).trim() : 'unknown',
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    unexpectedResponse: true,
  });
}

/** Undefined where it is none. */
function statusIn(text: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && value['kind'] === 'Status' ? (value as unknown as Status) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
