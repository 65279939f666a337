/**
 * Servers of other APIs over real HTTPS, with the certificate of the front proxy. An answer that goes on is kept as a stream until its
 * client is joined to it; one that nobody fetches is dropped.
 */
import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import type { AggregatedCall, AggregatedReply } from '../apiserver/aggregation/backend.ts';
import type { HttpStreamSink } from '../apiserver/http-types.ts';
import type { JsonValue } from '../base/json.ts';
import type { KeyPair } from '../serving/certificates.ts';
import { inGo } from './go-errors.ts';
import { checkName } from './reach-webhook.ts';
import { trusting } from './trust.ts';

/** A longer answer is none. */
const answerBytesMax = 100_000_000;
const unfetchedMs = 30_000;

export interface AggregatedReach {
  call(call: AggregatedCall, signal: AbortSignal): Promise<JsonValue>;
  /** Hands a stream to its client; returns what ends it. */
  follow(stream: string, sink: HttpStreamSink): () => void;
}

export function createAggregatedReach(client: () => KeyPair | undefined): AggregatedReach {
  const streams = new Map<string, IncomingMessage>();
  let count = 0;
  const keep = (response: IncomingMessage): string => {
    const name = `stream-${++count}`;
    streams.set(name, response);
    const drop = setTimeout(() => streams.delete(name) && response.destroy(), unfetchedMs);
    drop.unref();
    response.once('close', () => clearTimeout(drop));
    return name;
  };
  return {
    call: async (call, signal) => {
      const response = await send(call, client(), signal);
      const reply = { code: response.statusCode ?? 0, headers: headersOf(response) };
      const isStream = call.isStream && reply.code === 200;
      const whole: AggregatedReply = isStream ? { ...reply, stream: keep(response) } : { ...reply, body: await bodyOf(response) };
      return whole as unknown as JsonValue;
    },
    follow: (stream, sink) => {
      const response = streams.get(stream);
      if (response === undefined) {
        sink.end();
        return () => {};
      }
      streams.delete(stream);
      response.on('data', (chunk: Buffer) => sink.write(chunk));
      response.once('error', () => sink.end());
      response.once('end', () => sink.end());
      return () => void response.destroy();
    },
  };
}

/** How a call is made over TLS. */
export function requestOptions(call: AggregatedCall, client: KeyPair | undefined): RequestOptions {
  const { method, path, host, port, serverName, caBundle, isTrusted } = call;
  const headers = Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]));
  return {
    method,
    host,
    port,
    path,
    servername: serverName,
    headers: { host: new URL(call.url).host, ...headers },
    checkServerIdentity: (_name, certificate) => checkName(serverName, certificate),
    ...(isTrusted ? { rejectUnauthorized: false } : {}),
    ...trusting(Buffer.from(caBundle, 'base64')),
    ...(client === undefined ? {} : { cert: client.certificatePem, key: client.keyPem }),
  };
}

function send(call: AggregatedCall, client: KeyPair | undefined, signal: AbortSignal): Promise<IncomingMessage> {
  const { host, port, isStream } = call;
  const body = Buffer.from(call.body, 'base64');
  const options = requestOptions(
    { ...call, headers: { ...call.headers, ...(body.length === 0 ? {} : { 'content-length': String(body.length) }) } },
    client,
  );
  return new Promise((resolve, reject) => {
    const sent = request({
      ...options,
      // A stream outlives the question that it began with.
      ...(isStream ? {} : { signal }),
    });
    sent.on('error', (error) => reject(new Error(inGo(error, host, port))));
    sent.on('response', resolve);
    sent.end(body);
  });
}

function headersOf({ headers }: IncomingMessage): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]])),
  );
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > answerBytesMax) throw new Error(`the answer is longer than ${answerBytesMax} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('base64');
}
