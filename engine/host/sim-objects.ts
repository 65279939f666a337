/** Scenarios and their runs that the host creates for somebody: requests, and so inputs, like any other. */
import type { HttpRequest, HttpResponse } from '../apiserver/http-types.ts';
import type { Identity } from '../contracts/request.ts';

export interface Maker {
  readonly identity: Identity;
  /** Of `metadata.managedFields`; without one it follows from the user agent. */
  readonly fieldManager?: string;
  readonly userAgent?: string;
}

/**
 * Creates an object of `sim.wavetank.dev/v1alpha1`; webhooks are asked about it as about any other. Resolves with why it was refused, in
 * the API's words; with undefined when it is there.
 */
export async function createSimObject(
  serve: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>,
  resource: 'scenarios' | 'scenarioruns',
  object: object,
  { identity, fieldManager, userAgent }: Maker,
): Promise<string | undefined> {
  const response = await serve({
    method: 'POST',
    path: `/apis/sim.wavetank.dev/v1alpha1/${resource}`,
    query: fieldManager === undefined ? '' : `fieldManager=${fieldManager}`,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...(userAgent !== undefined && { 'user-agent': userAgent }) },
    body: new TextEncoder().encode(JSON.stringify(object)),
    identity,
  });
  if (!('body' in response) || response.status < 400) return undefined;
  return (JSON.parse(String(response.body)) as { readonly message: string }).message;
}
