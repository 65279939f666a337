import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { storedGzip } from './stored-gzip.ts';

it.each([0, 1, 65_535, 65_536, 200_000])('%i bytes come out of a reader of gzip as they went in', (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) & 0xff);
  expect(Buffer.compare(gunzipSync(storedGzip(bytes)), bytes)).toBe(0);
});
