/**
 * The file of `--authentication-config`, which counts as it is now: it is read again when it changes, and each minute. One that cannot be read or
 * is wrong, or says something else of anonymous requests, is told of, and what was before stays. Mirrors pkg/kubeapiserver/options/authentication.go.
 */
import { hash } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { metricFamily, type Sample } from '../../apiserver/metrics-text.ts';
import { type JwtIssuerConfiguration } from '../../apiserver/auth/jwt/configuration.ts';
import type { AnonymousPolicy } from '../../apiserver/auth/authentication.ts';
import { deepEqual } from '../../base/equal.ts';
import type { OidcIssuer } from '../oidc.ts';

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

const pollMs = 60_000;
const lookMs = 1_000;

export class AuthenticationFile {
  readonly #options: AuthenticationFileOptions;
  readonly anonymous: AnonymousPolicy | undefined;
  #text: string;
  #applied: string;
  #issuers: readonly OidcIssuer[];
  readonly #reloads = { success: { count: 0, lastMs: 0 }, failure: { count: 0, lastMs: 0 } };
  #checking: Promise<void> | undefined;

  constructor(options: AuthenticationFileOptions) {
    this.#options = options;
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
    const look = (): void => void this.check(log);
    const timer = setInterval(look, pollMs);
    timer.unref();
    watchFile(this.#options.file, { interval: lookMs, persistent: false }, look);
    return () => {
      clearInterval(timer);
      unwatchFile(this.#options.file, look);
    };
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
      this.#count('failure');
      log(`failed to ${what}: ${error instanceof Error ? error.message : String(error)}`);
    };
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
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
    this.#count('success');
    log('reloaded authentication config');
  }

  #count(status: 'success' | 'failure'): void {
    const counted = this.#reloads[status];
    counted.count++;
    counted.lastMs = this.#options.nowMs();
  }

  /** In Prometheus' text form. This server has no identity of its own, and so none in the labels. */
  metrics(): string {
    const made = Object.entries(this.#reloads).filter(([, { count }]) => count > 0);
    const samples = (value: (of: { readonly count: number; readonly lastMs: number }) => number): readonly Sample[] =>
      made.map(([status, of]): Sample => [{ status, apiserver_id_hash: '' }, value(of)]);
    const info: Sample = [{ apiserver_id_hash: '', hash: `sha256:${hash('sha256', this.#applied, 'hex')}` }, 1];
    return [
      ...(made.length === 0
        ? []
        : [
            metricFamily(
              `${subsystem}_automatic_reloads_total`,
              'counter',
              totalHelp,
              samples(({ count }) => count),
            ),
            metricFamily(
              `${subsystem}_automatic_reload_last_timestamp_seconds`,
              'gauge',
              lastHelp,
              samples(({ lastMs }) => lastMs / 1000),
            ),
          ]),
      metricFamily(`${subsystem}_last_config_info`, 'gauge', infoHelp, [info]),
    ].join('');
  }
}

const subsystem = 'apiserver_authentication_config_controller';
const totalHelp = '[BETA] Total number of automatic reloads of authentication configuration split by status and apiserver identity.';
const lastHelp = '[BETA] Timestamp of the last automatic reload of authentication configuration split by status and apiserver identity.';
const infoHelp = '[ALPHA] Information about the last applied authentication configuration with hash as label, split by apiserver identity.';
