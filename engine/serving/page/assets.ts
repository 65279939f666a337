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

/** Files that never change under their name, kept once they were asked for: a thread that is busy has them ready sooner than a disk that must be waited for. */
export class Assets {
  readonly #folder: string;
  readonly #kept = new Map<string, Uint8Array>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async serve(request: ServedRequest): Promise<PlainResponse> {
    const kept = request.method === 'GET' ? this.#kept.get(request.path) : undefined;
    if (kept !== undefined) return { status: 200, headers: headersOf(request.path), body: kept };
    const answer = await serveAsset(this.#folder, request);
    // By its plain name alone: there are endless other ways to write it.
    if (plainName.test(request.path) && answer.status === 200 && answer.body instanceof Uint8Array) this.#kept.set(request.path, answer.body);
    return answer;
  }
}

const hashedFolder = '/assets/';
const plainName = /^\/assets\/[\w-][\w.-]*$/;

async function serveAsset(folder: string, request: ServedRequest): Promise<PlainResponse> {
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
  return { status: 200, headers: headersOf(name), body };
}

function headersOf(name: string): Readonly<Record<string, string>> {
  const isDocument = name === 'index.html' || name === '/index.html';
  return {
    'content-type': types[extname(name).toLowerCase()] ?? 'application/octet-stream',
    'cache-control': isDocument ? 'no-store' : name.startsWith(hashedFolder) ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
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
