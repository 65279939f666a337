/** What is answered to who connects to a pod, but for a proxy: streams, text that goes on, or that nothing simulates it. */
import { newStatusError } from '../apimachinery/errors.ts';
import type { Connection } from '../contracts/rest-storage.ts';
import type { HttpResponse } from './http-types.ts';

export function connected(connection: Exclude<Connection, { readonly type: 'proxy' }> | undefined): HttpResponse {
  if (connection === undefined) throw newStatusError(501, 'NotImplemented', 'this connection is not simulated yet');
  if (connection.type === 'portforward') {
    const { namespace, pod, ports } = connection;
    return { upgrade: 'portforward', namespace, pod, ports };
  }
  if (connection.type === 'process') return { upgrade: 'process', process: connection.process };
  if (connection.type === 'nothing') return { status: 204, headers: {}, body: '' };
  const { text: written, contentType = 'text/plain', follow } = connection;
  const headers = { 'content-type': contentType };
  if (follow === undefined) return { status: 200, headers, body: written };
  return {
    status: 200,
    headers,
    open: (sink) => {
      if (written !== '') sink.write(written);
      const handle = follow(
        (more) => sink.write(more),
        () => sink.end(),
      );
      return () => handle.cancel();
    },
  };
}
