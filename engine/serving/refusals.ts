/** What is answered without asking a handler: requests that are none, that come too slowly, or for which there is no room. */
import { newBadRequest, newRequestEntityTooLarge, newStatusError, newTimeout, newTooManyRequests } from '../apimachinery/errors.ts';
import type { StatusError } from '../apimachinery/status.ts';
import type { PlainResponse } from './exchange.ts';

export function statusAnswer({ status }: StatusError): PlainResponse {
  const { retryAfterSeconds } = status.details ?? {};
  return {
    status: status.code,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-cache, private',
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    },
    body: `${JSON.stringify(status)}\n`,
  };
}

/** The text is upstream's for a request that has used up its time. */
export function slowBody(): PlainResponse {
  return statusAnswer(newTimeout('request did not complete within the allotted timeout'));
}

export function largeBody(limitBytes: number): PlainResponse {
  return statusAnswer(newRequestEntityTooLarge(`limit is ${limitBytes}`));
}

/** Bodies of all clients together hold too much: this one has been on its way the longest. */
export function crowdedOut(): PlainResponse {
  return statusAnswer(newTooManyRequests('too many request bodies are on their way, please try again later', 1));
}

/** What Node.js's parser could not read, or was not given in time. */
export function unreadable(code: string | undefined): PlainResponse {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return statusAnswer(newStatusError(431, '', 'request header fields too large'));
    case 'HPE_INVALID_METHOD':
      return unknownMethod();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return statusAnswer(newStatusError(408, 'Timeout', 'the request did not arrive in time'));
    default:
      return statusAnswer(newBadRequest('the request is not well-formed HTTP'));
  }
}

/** The text is upstream's at a path that there is, whose router finds nothing for the method. */
function unknownMethod(): PlainResponse {
  const error = newStatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
  const { code, ...status } = error.status;
  return { ...statusAnswer(error), body: JSON.stringify({ ...status, details: {}, code }, null, 2) };
}

export function unmetExpectation(expectation: string): PlainResponse {
  return statusAnswer(newStatusError(417, '', `the server cannot meet the expectation ${JSON.stringify(expectation)}`));
}
