/** What a client shows to a server, and where it comes from: a kubeconfig's text, files that somebody renews, a plugin. */
import { readInGo } from '../go-files.ts';

export interface Credentials {
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
  /** A user and a password with a colon between them, for basic authentication; a token goes before it. */
  readonly basic?: string;
}

/** The header that says who asks; none where nothing is shown in it. */
export function authorizationOf({ token, basic }: Credentials): { readonly authorization?: string } {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return basic === undefined ? {} : { authorization: `Basic ${Buffer.from(basic).toString('base64')}` };
}

export interface CredentialSource {
  /** What is good now. Throws an Error that says why there is nothing. */
  current(): Credentials;
  /** The server did not take what it was shown. */
  refused(): void;
}

/** How long a file counts before it is read again: upstream's clients look at tokens each minute, ten seconds early. */
const rereadMs = 50_000;

/** Of files: a token, a certificate with its key, or both. What cannot be read any more is what it was. */
export class FileCredentials implements CredentialSource {
  readonly #files: Readonly<Record<string, string>>;
  readonly #fixed: Credentials;
  readonly #nowMs: () => number;
  #read: Credentials | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;

  /** Paths by field; `fixed` are texts that stand in the kubeconfig. */
  constructor(files: { readonly [K in keyof Credentials]?: string }, fixed: Credentials, nowMs: () => number) {
    this.#files = files;
    this.#fixed = fixed;
    this.#nowMs = nowMs;
  }

  current(): Credentials {
    const nowMs = this.#nowMs();
    if (this.#read !== undefined && nowMs - this.#readAtMs < rereadMs) return this.#read;
    try {
      const texts = Object.entries(this.#files).map(([field, path]) => [field, contentOf(field, path)] as const);
      this.#read = { ...this.#fixed, ...(Object.fromEntries(texts) as Credentials) };
    } catch (error) {
      if (this.#read === undefined) throw error;
    }
    this.#readAtMs = nowMs;
    return this.#read as Credentials;
  }

  refused(): void {
    this.#readAtMs = Number.NEGATIVE_INFINITY;
  }
}

function contentOf(field: string, path: string): string {
  if (field !== 'token') return readInGo(path);
  const text = tokenText(path);
  if (text.trim() === '') throw new Error(`read empty token from file ${JSON.stringify(path)}`);
  return text.trim();
}

/** Mirrors client-go transport/token_source.go. */
function tokenText(path: string): string {
  try {
    return readInGo(path);
  } catch (error) {
    throw new Error(`failed to read token file ${JSON.stringify(path)}: ${(error as Error).message}`, { cause: error });
  }
}
