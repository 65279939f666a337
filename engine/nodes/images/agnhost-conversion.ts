/** `agnhost crd-conversion-webhook`: converts stable.example.com as upstream's tests expect. Mirrors test/images/agnhost/crd-conversion-webhook. */
import type { JsonObject } from '../../base/json.ts';
import type { PodAnswer, PodQuestion } from '../../contracts/connect.ts';

/** Throws a text that says why it cannot. */
type Convert = (object: JsonObject) => JsonObject;

class NotConvertible extends Error {}

const converters: { readonly [route: string]: Convert } = {
  'stable.example.com/v1 stable.example.com/v2': ({ hostPort, ...rest }) => {
    if (hostPort === undefined) return rest;
    const parts = String(hostPort).split(':');
    if (parts.length !== 2) throw new NotConvertible(`invalid hostPort value \`${String(hostPort)}\``);
    return { ...rest, host: parts[0] as string, port: parts[1] as string };
  },
  'stable.example.com/v2 stable.example.com/v1': ({ host, port, ...rest }) =>
    host === undefined && port === undefined ? rest : { ...rest, hostPort: `${String(host ?? '')}:${String(port ?? '')}` },
};

export function answerConversion({ method, path, body }: PodQuestion): PodAnswer {
  const [route = '/'] = path.split('?', 1);
  if (route === '/readyz') return { status: 200, contentType: 'text/plain; charset=utf-8', body: 'ok' };
  if (route !== '/crdconvert' || method !== 'POST') return { status: 404, contentType: 'text/plain; charset=utf-8', body: '404 page not found\n' };
  const { kind, apiVersion, request } = JSON.parse(body) as { readonly kind: string; readonly apiVersion: string; readonly request: Asked };
  const response = { uid: request.uid, ...converted(request) };
  return { status: 200, contentType: 'application/json', body: JSON.stringify({ kind, apiVersion, response }) };
}

interface Asked {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly JsonObject[];
}

function converted({ desiredAPIVersion, objects }: Asked): object {
  const failed = (message: string): object => ({ convertedObjects: [], result: { metadata: {}, status: 'Failure', message } });
  const convertedObjects: JsonObject[] = [];
  for (const object of objects) {
    const from = String(object['apiVersion']);
    if (from === desiredAPIVersion) return failed(`conversion from a version to itself should not call the webhook: ${desiredAPIVersion}`);
    const convert = converters[`${from} ${desiredAPIVersion}`];
    const odd = Object.keys(converters).some((route) => route.startsWith(`${from} `)) ? desiredAPIVersion : from;
    if (convert === undefined) return failed(`unexpected conversion version ${JSON.stringify(odd)}`);
    try {
      convertedObjects.push({ ...convert(object), apiVersion: desiredAPIVersion });
    } catch (error) {
      if (error instanceof NotConvertible) return failed(error.message);
      throw error;
    }
  }
  return { convertedObjects, result: { metadata: {}, status: 'Success' } };
}
