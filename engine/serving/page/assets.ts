/**
 * The built page as files on disk. Names with a content hash (Vite's assets folder) are kept by the browser for ever, index.html
 * never; a path without a file extension is a deep link and gets index.html.
 */
import { readFile } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import type { PlainResponse, ServedRequest } from '../exchange.ts';
import { decode } from './trust.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};

export async function serveAsset(folder: string, request: ServedRequest): Promise<PlainResponse> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return textResponse(405, 'only GET and HEAD are served here\n', { allow: 'GET, HEAD' });
  const path = decode(request.path);
  if (path === undefined || path.includes('\0')) return textResponse(400, 'the path is not valid\n');
  const extension = extname(path).toLowerCase();
  const name = extension === '' ? 'index.html' : path;
  const file = resolve(join(folder, name));
  if (!file.startsWith(resolve(folder) + sep)) return textResponse(404, 'not found\n');
  const body = await readOrMissing(file);
  if (body === undefined) {
    if (name === 'index.html') return textResponse(503, 'The page is not built. Run "npm run build" and reload; the API is served all the same.\n');
    return textResponse(404, 'not found\n');
  }
  const hashed = path.startsWith('/assets/');
  const headers = {
    'content-type': types[extname(file).toLowerCase()] ?? 'application/octet-stream',
    'cache-control': name === 'index.html' || name === '/index.html' ? 'no-store' : hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  return { status: 200, headers, body };
}

export function textResponse(status: number, text: string, headers: Readonly<Record<string, string>> = {}): PlainResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers }, body: text };
}

async function readOrMissing(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}
