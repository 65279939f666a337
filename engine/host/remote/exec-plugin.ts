/**
 * A program that a kubeconfig names for credentials. Mirrors client-go plugin/pkg/client/auth/exec, without plugin policies and
 * without asking a person: the daemon waits while the program runs.
 */
import { spawnSync } from 'node:child_process';
import { dirname, isAbsolute, resolve } from 'node:path';
import { CommandError } from '../command-error.ts';
import type { Credentials, CredentialSource } from './credentials.ts';

const group = 'client.authentication.k8s.io';
const versions: readonly string[] = [`${group}/v1`, `${group}/v1beta1`];
const interactiveModes: readonly string[] = ['Never', 'IfAvailable', 'Always'];
/** Whatever asks for longer is stuck. */
const runMs = 60_000;

type Fields = Readonly<Record<string, unknown>>;

export interface PluginPlace {
  /** The kubeconfig. */
  readonly file: string;
  /** Name of the user, for words of refusal. */
  readonly user: string;
  /** The kubeconfig's cluster, for plugins that want to know. */
  readonly cluster: Fields;
  readonly nowMs: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface ExecCredential {
  readonly apiVersion?: string;
  readonly status?: {
    readonly token?: string;
    readonly clientCertificateData?: string;
    readonly clientKeyData?: string;
    readonly expirationTimestamp?: string;
  };
}

export class ExecPlugin implements CredentialSource {
  readonly #config: Fields;
  readonly #place: PluginPlace;
  #known: Credentials | undefined;
  #untilMs = Number.POSITIVE_INFINITY;

  /** Throws a CommandError for what a kubeconfig cannot say. */
  constructor(config: Fields, place: PluginPlace) {
    this.#config = config;
    this.#place = place;
    const wrong = wrongIn(config, place.user);
    if (wrong !== undefined) throw new CommandError(`invalid configuration: ${wrong}`);
  }

  current(): Credentials {
    if (this.#known === undefined || this.#place.nowMs() >= this.#untilMs) this.#run();
    return this.#known ?? {};
  }

  refused(): void {
    this.#known = undefined;
  }

  #run(): void {
    const command = String(this.#config['command']);
    const { status, error, stdout } = spawnSync(this.#path(command), textsOf(this.#config['args']), {
      encoding: 'utf8',
      env: { ...this.#place.env, ...this.#environment(), KUBERNETES_EXEC_INFO: JSON.stringify(this.#info()) },
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: runMs,
    });
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') throw new Error(`exec: executable ${command} not found${this.#hint()}`);
    if (error !== undefined) throw new Error(`exec: ${error.message}`);
    if (status !== 0) throw new Error(`exec: executable ${command} failed with exit code ${status ?? -1}`);
    this.#take(parseOutput(stdout));
  }

  #take({ apiVersion, status }: ExecCredential): void {
    const wanted = String(this.#config['apiVersion']);
    if (apiVersion !== wanted) throw new Error(`exec plugin is configured to use API version ${wanted}, plugin returned version ${apiVersion ?? ''}`);
    if (status === undefined) throw new Error("exec plugin didn't return a status field");
    const { token = '', clientCertificateData: cert = '', clientKeyData: key = '', expirationTimestamp } = status;
    if (token === '' && cert === '' && key === '') throw new Error("exec plugin didn't return a token or cert/key pair");
    if ((cert === '') !== (key === '')) throw new Error('exec plugin returned only certificate or key, not both');
    this.#known = { ...(token === '' ? {} : { token }), ...(cert === '' ? {} : { cert, key }) };
    const untilMs = Date.parse(expirationTimestamp ?? '');
    this.#untilMs = Number.isNaN(untilMs) ? Number.POSITIVE_INFINITY : untilMs;
  }

  /** One with a slash is found beside the kubeconfig, others on the PATH. */
  #path(command: string): string {
    return command.includes('/') && !isAbsolute(command) ? resolve(dirname(this.#place.file), command) : command;
  }

  #environment(): Readonly<Record<string, string>> {
    const entries = (this.#config['env'] ?? []) as readonly Fields[];
    return Object.fromEntries(entries.map(({ name, value }) => [String(name), String(value ?? '')]));
  }

  #info(): object {
    const { cluster } = this.#place;
    const told = {
      server: cluster['server'],
      ...(cluster['tls-server-name'] === undefined ? {} : { 'tls-server-name': cluster['tls-server-name'] }),
      ...(cluster['certificate-authority-data'] === undefined ? {} : { 'certificate-authority-data': cluster['certificate-authority-data'] }),
      config: null,
    };
    const spec = { ...(this.#config['provideClusterInfo'] === true ? { cluster: told } : {}), interactive: false };
    return { kind: 'ExecCredential', apiVersion: this.#config['apiVersion'], spec };
  }

  #hint(): string {
    const hint = this.#config['installHint'];
    const help =
      '\n\nIt looks like you are trying to use a client-go credential plugin that is not installed.\n\nTo learn more about this feature, consult the documentation available at:\n      https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins';
    return typeof hint === 'string' && hint !== '' ? `${help}\n\n${hint}` : help;
  }
}

function wrongIn(config: Fields, user: string): string | undefined {
  const { command, apiVersion, interactiveMode, env } = config;
  if (!command) return `command must be specified for ${user} to use exec authentication plugin`;
  if (!apiVersion) return `apiVersion must be specified for ${user} to use exec authentication plugin`;
  if (!versions.includes(String(apiVersion))) return `exec plugin: invalid apiVersion ${JSON.stringify(apiVersion)}`;
  if (((env ?? []) as readonly Fields[]).some(({ name }) => !name))
    return `env variable name must be specified for ${user} to use exec authentication plugin`;
  const mode = interactiveMode ?? (apiVersion === `${group}/v1` ? '' : 'IfAvailable');
  if (mode === '') return `interactiveMode must be specified for ${user} to use exec authentication plugin`;
  if (!interactiveModes.includes(String(mode))) return `invalid interactiveMode for ${user}: ${JSON.stringify(mode)}`;
  return mode === 'Always' ? 'exec plugin cannot support interactive mode: standard input is not a terminal' : undefined;
}

function parseOutput(text: string): ExecCredential {
  try {
    return JSON.parse(text) as ExecCredential;
  } catch (error) {
    throw new Error(`decoding stdout: ${(error as Error).message}`, { cause: error });
  }
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
