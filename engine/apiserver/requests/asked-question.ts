/** What a question to the outside was about, where it can be told: of a webhook the object under review. */
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Answer, Question } from '../../contracts/questions.ts';
import type { LoggedRequest } from './logged-request.ts';
import { cut } from './request-log.ts';

/** What is longer is not read for this: it is told by its address alone. */
const readMax = 256 * 1024;
const textMax = 256;
const uriMax = 512;
const [timedOut, failed] = [504, 502];

/** Fills in one of which its number and instants are known. */
export function describeQuestion(kept: LoggedRequest, { to, body }: Pick<Question, 'to' | 'body'>, answer: Answer): void {
  const call = objectOr(body);
  kept.userAgent = cut(to, textMax);
  kept.uri = cut(textOr(call['url']), uriMax);
  const asked = objectOr(objectOr(readOr(textOr(call['text'])))['request']);
  const resource = objectOr(asked['resource']);
  kept.verb = cut(textOr(asked['operation']).toLowerCase(), textMax) || 'call';
  kept.username = cut(textOr(objectOr(asked['userInfo'])['username']), textMax);
  kept.group = cut(textOr(resource['group']), textMax);
  kept.version = cut(textOr(resource['version']), textMax);
  kept.resource = cut(textOr(resource['resource']), textMax);
  kept.subresource = cut(textOr(asked['subResource']), textMax);
  kept.namespace = cut(textOr(asked['namespace']), textMax);
  kept.name = cut(textOr(asked['name']), textMax);
  kept.receivedBytes = textOr(call['text']).length;
  kept.code = answer.outcome === 'answered' ? codeOf(answer.body) : answer.outcome === 'timedOut' ? timedOut : failed;
  kept.message = answer.outcome === 'failed' ? cut(answer.message, textMax) : '';
}

function codeOf(reply: JsonValue): number {
  const { code } = objectOr(reply);
  return typeof code === 'number' ? code : 200;
}

function readOr(text: string): JsonValue {
  if (text === '' || text.length > readMax) return null;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // Of what others ask the form is their own.
    return null;
  }
}

function objectOr(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function textOr(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
