/**
 * The file of `--authorization-config`, which counts as it is now. One that cannot be read or is wrong, or lacks an authorizer that the
 * server began with and that is no webhook, is told of, and what was before stays. Mirrors pkg/kubeapiserver/authorizer/reload.go.
 */
import { readInGo } from '../go-files.ts';
import type { ConfiguredAuthorizer } from '../../apiserver/auth/authorization-configuration.ts';
import { deepEqual } from '../../base/equal.ts';
import { ConfigReloads, lookAt } from './config-reloads.ts';
import { readAuthorizers, readKubeconfigsOf } from './configuration-files.ts';

export interface AuthorizationFileOptions {
  readonly file: string;
  /** What was in it when the server began; it is right. */
  readonly text: string;
  /** Lets another text count. */
  use(text: string): void;
  /** Wall time. */
  nowMs(): number;
}

export class AuthorizationFile {
  readonly #options: AuthorizationFileOptions;
  readonly #required: readonly string[];
  readonly #reloads: ConfigReloads;
  #read: string;
  #loaded: readonly ConfiguredAuthorizer[];
  #applied: string;

  constructor(options: AuthorizationFileOptions) {
    this.#options = options;
    this.#read = this.#applied = options.text;
    this.#loaded = readAuthorizers(options.text);
    this.#required = this.#loaded.map(({ type }) => type).filter((type) => type !== 'Webhook');
    this.#reloads = new ConfigReloads('authorization', options.nowMs);
  }

  /** Looks at the file until the returned function is called. `log` is told one line at a time. */
  watch(log: (line: string) => void): () => void {
    return lookAt(this.#options.file, () => this.check(log));
  }

  check(log: (line: string) => void): void {
    try {
      const text = readInGo(this.#options.file);
      if (text === this.#read) return;
      this.#read = text;
      const authorizers = readAuthorizers(text, this.#required);
      if (deepEqual(authorizers, this.#loaded)) return;
      this.#loaded = authorizers;
      readKubeconfigsOf(authorizers);
      this.#options.use(text);
      this.#applied = text;
    } catch (error) {
      this.#reloads.count('failure');
      log(`reloading authorization config: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    this.#reloads.count('success');
    log('reloaded authz config');
  }

  /** In Prometheus' text form. */
  metrics(): string {
    return this.#reloads.metrics(this.#applied);
  }
}
