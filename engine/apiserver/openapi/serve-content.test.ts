/** Conditions and ranges, each as a real 1.36.3 answered it for its OpenAPI documents (2026-11-27); `TAG` and `MADE` are the document's. */
import { describe, expect, it } from 'vitest';
import type { HttpPlainResponse } from '../http-types.ts';
import { createOpenApiFixture } from './testing/server.ts';

const fixture = createOpenApiFixture();
const made = 'Thu, 01 Jan 2026 00:00:00 GMT';
const whole = fixture.get('/openapi/v3/apis/apps/v1');
const text = String(whole?.body);
const tag = String(whole?.headers['etag']);

function ask(headers: Readonly<Record<string, string>>, method = 'GET', path = '/openapi/v3/apis/apps/v1'): HttpPlainResponse {
  const own = Object.entries(headers).map(([name, value]) => [
    name,
    value.replaceAll('TAG', tag).replaceAll('MADE', made).replaceAll('SIZE', String(text.length)),
  ]);
  const found = fixture.get(path, Object.fromEntries(own) as Record<string, string>, method);
  if (found === undefined) throw new Error(`${path} is not there`);
  return found;
}

function textOf({ body }: HttpPlainResponse): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array);
}

describe('a range', () => {
  it.each<[string, number, number]>([
    ['bytes=0-9', 0, 10],
    ['bytes=-5', -5, 5],
    ['bytes= 0 - 1 ', 0, 2],
    ['bytes=0-+5', 0, 6],
    ['bytes=+3-5', 3, 3],
    ['bytes=0-1,SIZE-', 0, 2],
    ['bytes=-99999999999', 0, text.length],
    ['bytes=7-99999999999', 7, text.length - 7],
    ['bytes=-0', text.length, 0],
  ])('%s is sent alone', (range, from, length) => {
    const start = from < 0 ? text.length + from : from;
    const found = ask({ range });
    expect(found).toMatchObject({
      status: 206,
      headers: { 'content-range': `bytes ${start}-${start + length - 1}/${text.length}`, etag: tag, 'accept-ranges': 'bytes' },
    });
    expect(textOf(found)).toBe(text.slice(start, start + length));
  });

  it.each(['bytes=', 'bytes=,', 'bytes=0-,0-,1-'])('%s is no wish for less than all', (range) => {
    expect(ask({ range })).toMatchObject({ status: 200, body: text });
  });

  it.each(['bytes=5-2', 'bytes=a-b', 'items=0-1', 'bytes=-', 'bytes=--5', '0-5', 'bytes=0', 'bytes=0-99999999999999999999', 'Bytes=0-1'])(
    '%s cannot be read',
    (range) => {
      const { status, headers, body } = ask({ range });
      expect({ status, headers, body }).toEqual({
        status: 416,
        headers: { vary: 'Accept', 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
        body: 'invalid range\n',
      });
    },
  );

  it.each(['bytes=SIZE-', 'bytes=SIZE-,9999999-'])('%s is beyond the end', (range) => {
    const beyond = { status: 416, headers: { 'content-range': `bytes */${text.length}` }, body: 'invalid range: failed to overlap\n' };
    expect(ask({ range })).toMatchObject(beyond);
    expect(ask({ range }).headers).not.toHaveProperty('etag');
  });

  it('comes in parts where several are wanted', () => {
    const found = ask({ range: 'bytes=0-1,4-5' });
    const boundary = /^multipart\/byteranges; boundary=([0-9a-f]{60})$/.exec(String(found.headers['content-type']))?.[1];
    const part = (range: string): string => `Content-Range: bytes ${range}/${text.length}\r\nContent-Type: application/json\r\n\r\n`;
    expect(found.status).toBe(206);
    expect(textOf(found)).toBe(`--${boundary}\r\n${part('0-1')}{"\r\n--${boundary}\r\n${part('4-5')}en\r\n--${boundary}--\r\n`);
  });

  it('is of the bytes of the form that was asked for', () => {
    const form = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
    const bytes = fixture.get('/openapi/v3/apis/apps/v1', { accept: form })?.body as Uint8Array;
    expect(ask({ range: 'bytes=0-9', accept: form })).toMatchObject({ status: 206, headers: { 'content-type': form }, body: bytes.subarray(0, 10) });
  });

  it('can be had of the index, which has no tag, and of the older document', () => {
    const index = ask({ range: 'bytes=0-9', 'if-range': 'MADE' }, 'GET', '/openapi/v3');
    expect([index.status, textOf(index)]).toEqual([206, '{"paths":{']);
    expect(ask({ range: 'bytes=0-9', 'if-range': '"x"' }, 'GET', '/openapi/v3').status).toBe(200);
    expect(textOf(ask({ range: 'bytes=0-9' }, 'GET', '/openapi/v2'))).toBe('{"swagger"');
  });
});

describe('conditions', () => {
  it.each<[Readonly<Record<string, string>>, number, string?]>([
    [{ range: 'bytes=0-9', 'if-range': 'TAG' }, 206],
    [{ range: 'bytes=0-9', 'if-range': 'MADE' }, 206],
    [{ range: 'bytes=0-9', 'if-range': '"other"' }, 200],
    [{ range: 'bytes=0-9', 'if-range': 'W/TAG' }, 200],
    [{ range: 'bytes=0-9', 'if-range': 'nonsense' }, 200],
    [{ range: 'bytes=SIZE-', 'if-range': '"other"' }, 200],
    [{ range: 'bytes=0-9', 'if-range': '"other"' }, 206, 'POST'],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': '"a", TAG' }, 200],
    [{ 'if-match': 'W/TAG' }, 412],
    [{ 'if-match': 'junk' }, 412],
    [{ 'if-unmodified-since': 'MADE' }, 200],
    [{ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:01 GMT' }, 412],
    [{ 'if-unmodified-since': 'junk' }, 200],
    [{ 'if-none-match': 'W/TAG' }, 304],
    [{ 'if-none-match': ', ,TAG' }, 304],
    [{ 'if-none-match': '"a" TAG' }, 304],
    [{ 'if-none-match': 'junk,TAG' }, 200],
    [{ 'if-none-match': '*' }, 304, 'HEAD'],
    [{ 'if-none-match': '*' }, 412, 'PUT'],
    [{ 'if-none-match': 'TAG', range: 'bytes=0-1' }, 304],
    [{ 'if-modified-since': 'MADE' }, 304],
    [{ 'if-modified-since': 'MADE' }, 200, 'PATCH'],
    [{ 'if-modified-since': 'Thursday, 01-Jan-99 00:00:01 GMT' }, 200],
    [{ 'if-modified-since': 'Thursday, 01-Jan-26 00:00:00 GMT' }, 304],
    [{ 'if-modified-since': 'Thu Jan  1 00:00:01 2099' }, 304],
    [{ 'if-modified-since': '2099-01-01T00:00:00Z' }, 200],
    [{ 'if-modified-since': 'Thu, 31 Feb 2099 00:00:00 GMT' }, 200],
  ])('%o: %i', (headers, status, method = 'GET') => {
    expect(ask(headers, method).status).toBe(status);
  });

  it('that are not met say what there is instead, and its type where that is known before it is sent', () => {
    const refused = ask({ 'if-match': '"other"' });
    expect(refused).toEqual({
      status: 412,
      headers: { vary: 'Accept', etag: tag, 'last-modified': made, 'content-type': 'application/json' },
      body: '',
    });
    expect(ask({ 'if-match': '"other"' }, 'GET', '/openapi/v3').headers).toEqual({ 'last-modified': made });
  });
});
