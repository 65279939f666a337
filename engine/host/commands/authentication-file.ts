/**
 * The file of `--authentication-config`, which counts as it is now. One that cannot be read or
 * is wrong, or says something else of anonymous requests, is told of, and what was before stays. Mirrors pkg/kubeapiserver/options/authentication.go.
 */
import { readInGo } from '../go-files.ts';
import { type JwtIssuerConfiguration } from '../../apiserver/auth/jwt/configuration.ts';
import type { AnonymousPolicy } from '../../apiserver/auth/authentication.ts';
import { deepEqual } from '../../base/equal.ts';
import type { OidcIssuer } from '../oidc.ts';
import { ConfigReloads, lookAt } from './config-reloads.ts';

export interface Configured {
  readonly issuers: readonly JwtIssuerConfiguration[];
  readonly anonymous: AnonymousPolicy | undefined;
}

export interface AuthenticationFileOptions {
  readonly file: string;
  /** What is in it now. */
  readonly text: string;
  /** Throws for what is no such document. */
  parse(text: string): unknown;
  /** Throws for a document that says what it may not. */
  read(text: string): Configured;
  makeIssuer(configuration: JwtIssuerConfiguration): OidcIssuer;
  /** Wall time. */
  nowMs(): number;
}

export class AuthenticationFile {
  readonly #options: AuthenticationFileOptions;
  readonly anonymous: AnonymousPolicy | undefined;
  #text: string;
  #applied: string;
  #issuers: readonly OidcIssuer[];
  readonly #reloads: ConfigReloads;
  #checking: Promise<void> | undefined;

  constructor(options: AuthenticationFileOptions) {
    this.#options = options;
    this.#reloads = new ConfigReloads('authentication', options.nowMs);
    this.#text = this.#applied = options.text;
    const { issuers, anonymous } = options.read(options.text);
    this.#issuers = issuers.map((issuer) => options.makeIssuer(issuer));
    this.anonymous = anonymous;
  }

  get issuers(): readonly OidcIssuer[] {
    return this.#issuers;
  }

  /** Looks at the file until the returned function is called. `log` is told one line at a time. */
  watch(log: (line: string) => void): () => void {
    return lookAt(this.#options.file, () => void this.check(log));
  }

  /** One look at a time: who comes meanwhile waits for the one that goes on. */
  check(log: (line: string) => void): Promise<void> {
    this.#checking ??= this.#check(log).finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #check(log: (line: string) => void): Promise<void> {
    const { file, parse, read, makeIssuer } = this.#options;
    const fail = (what: string, error: unknown): void => {
      this.#reloads.count('failure');
      log(`failed to ${what}: ${error instanceof Error ? error.message : String(error)}`);
    };
    let text: string;
    try {
      text = readInGo(file);
    } catch (error) {
      return fail('read authentication config file', error);
    }
    if (text === this.#text) return;
    try {
      parse(text);
    } catch (error) {
      this.#text = text;
      return fail('load authentication config', error);
    }
    let issuers: readonly OidcIssuer[];
    try {
      const { issuers: wanted, anonymous } = read(text);
      if (!deepEqual(anonymous, this.anonymous)) throw new Error('anonymous: Forbidden: changed from initial configuration file');
      issuers = wanted.map((issuer) => makeIssuer(issuer));
    } catch (error) {
      this.#text = text;
      return fail('validate authentication config', error);
    }
    try {
      // Nobody is locked out by an issuer that does not answer: it is tried again at the next look.
      for (const issuer of issuers) await issuer.fetchKeys();
    } catch (error) {
      return fail('update authentication config', error);
    }
    this.#text = this.#applied = text;
    this.#issuers = issuers;
    this.#reloads.count('success');
    log('reloaded authentication config');
  }

  /** In Prometheus' text form. */
  metrics(): string {
    return this.#reloads.metrics(this.#applied);
  }
}
