/**
 * A daemon from its command line to its end: flags, log, ports, the wait for leadership, the work, the stop. Mirrors the order of
 * cmd/kube-controller-manager and cmd/kube-scheduler: ports are served while another replica leads.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Settings, SettingsError } from '../../cluster/settings.ts';
import { getFlag } from '../../cluster/flags.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Release } from '../../contracts/release.ts';
import { FeatureGateError, FeatureGates } from '../../releases/feature-gates.ts';
import { defaultRelease, getRelease, releaseNames } from '../../releases/releases.ts';
import { onStopRequest } from '../commands/stop-requests.ts';
import type { RemoteServer } from '../remote/kubeconfig-reader.ts';
import type { Running } from '../remote/controller-manager.ts';
import { RemoteRuntime } from '../remote/runtime.ts';
import { releaseOfServer } from '../remote/server-release.ts';
import { engineVersion } from '../session.ts';
import { checkCommandLine, gatesText } from './command-line-checks.ts';
import { configzText, type ShownConfiguration } from './configz.ts';
import { optionsOfRelease } from './release-options.ts';
import { serverOf } from './reached-server.ts';
import { fatal, fatalSetting } from './start-faults.ts';
import { badUsage, type DaemonFlag, type FlagValues, helpText, parseFlags } from './flag-set.ts';
import { checksAt, electionCheck, handlersCheck, type HealthPlan } from './health-checks.ts';
import { HealthTally } from '../../apiserver/health-tally.ts';
import { checkElectionTimes, type ElectionTimes, LeaderElector } from './leader-election.ts';
import { type DaemonLog, openLog } from './log.ts';
import { openPorts, type Ports } from './ports.ts';
import { createLock, lockKinds } from './resource-locks.ts';
import type { DaemonState, HealthCheck, Metric } from './routes.ts';

/** What a daemon works with once it leads. */
export interface Workplace {
  readonly flags: FlagValues;
  readonly settings: Settings;
  readonly release: Release;
  readonly runtime: RemoteRuntime;
  readonly server: RemoteServer;
  readonly log: DaemonLog;
}

export interface DaemonKind {
  /** `kube-scheduler`. */
  readonly name: string;
  /** Of our command line: `wavetank scheduler`. */
  readonly command: string;
  /** With the defaults of a release; of the present one when none is said. */
  readonly flags: (release?: Release) => readonly DaemonFlag[];
  readonly health: HealthPlan;
  readonly configuration: ShownConfiguration;
  /** Whether a stop gives the lock back, or which gate says that it does. */
  readonly releasesLock: boolean | { readonly gate: string };
  /** Whether it has `/metrics/resources`, which is empty until it leads. */
  readonly tellsResources: boolean;
  /** Who its events say they come from. */
  eventSource(flags: FlagValues): string;
  /** Of a daemon that runs controllers: whether a release has one of that name. */
  hasController?(name: string, release: Release): boolean;
  /** Throws a CommandError for flags that do not fit. Text is printed, and ends the program. */
  prepare(flags: FlagValues): PreparedDaemon | string;
}

export interface PreparedDaemon {
  /** Those in force, where a configuration file has a say. */
  readonly flags: FlagValues;
  /** Begins to work; gives what runs. */
  work(place: Workplace): Promise<Running>;
}

/** What a daemon knows before it speaks to anybody. */
interface Start {
  /** As they were given, whatever a configuration file says. */
  readonly line: FlagValues;
  readonly times: ElectionTimes;
  /** Absent: that of the server. */
  readonly emulated: Release | undefined;
  /** Options of the control plane that were given. */
  readonly given: Readonly<Record<string, string>>;
  readonly server: RemoteServer;
}

const stoppedLeadingCode = 1;
const place = 'daemon';
/** How long after its lease a leader that cannot renew is still called healthy. */
const renewGraceMs = 20_000;

/** Runs until it is told to stop, or leads no more; gives the exit code. */
export async function runDaemon(kind: DaemonKind, args: readonly string[]): Promise<number> {
  const read = readCommandLine(kind, args);
  return typeof read === 'string' ? print(read) : new Daemon(kind, read.prepared, read.start).run();
}

/** What a command line asks for: a text to print, or a daemon that has still to speak to somebody. Throws a CommandError for a wrong one. */
export function readCommandLine(kind: DaemonKind, args: readonly string[]): string | { readonly prepared: PreparedDaemon; readonly start: Start } {
  const emulated = releaseNamed(args);
  const release = emulated ?? defaultRelease;
  const parsed = parseFlags(kind.name, optionsOfRelease(kind.name, kind.flags(emulated), release), args, release.daemonFlags);
  if (parsed.isOn('help')) return helpText(`Usage: ${kind.command} [flags]`, parsed.flags);
  if (parsed.text('version') !== 'false') return `Kubernetes ${engineVersion} (Wavetank)\n`;
  checkGates(parsed, release);
  checkCommandLine(kind.name, parsed, release, { has: (name) => kind.hasController?.(name, release) === true });
  const prepared = kind.prepare(parsed);
  return typeof prepared === 'string' ? prepared : { prepared, start: startOf(kind.name, prepared.flags, parsed) };
}

/** That of `--emulate`, which decides how the others are read. */
function releaseNamed(args: readonly string[]): Release | undefined {
  const at = args.findLastIndex((arg) => /^--emulate(=|$)/.test(arg));
  const arg = args[at] ?? '';
  return releaseOf(arg.includes('=') ? arg.slice(arg.indexOf('=') + 1) : (args[at + 1] ?? ''), at >= 0);
}

/** Daemons of old know their gates while they read their options. */
function checkGates(flags: FlagValues, { featureGates }: Release): void {
  if (flags.dialect !== 'old') return;
  for (const text of flags.all('feature-gates')) {
    try {
      new FeatureGates(featureGates, text);
    } catch (error) {
      if (!(error instanceof FeatureGateError)) throw error;
      throw badUsage(`invalid argument ${JSON.stringify(text)} for "--feature-gates" flag: ${error.message}`);
    }
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

class Daemon {
  readonly #kind: DaemonKind;
  readonly #flags: FlagValues;
  readonly #start: Start;
  readonly #work: PreparedDaemon['work'];
  readonly #log: DaemonLog;
  readonly #tally = new HealthTally();
  readonly #startedMs = Date.now();
  readonly #ended = Promise.withResolvers<number>();
  #elector: LeaderElector | undefined;
  #running: Running = { names: [], metrics: () => [] };
  #release = '';
  /** Known once it may lead. */
  #releasesLock = false;
  /** Of the release in force, once the server has been asked. */
  #defaults: Readonly<Record<string, string>>;

  constructor(kind: DaemonKind, { flags, work }: PreparedDaemon, start: Start) {
    this.#kind = kind;
    this.#start = start;
    this.#flags = flags;
    this.#defaults = (emulatedRelease(flags) ?? defaultRelease).flagDefaults;
    this.#work = work;
    this.#log = openLog(kind.name, flags, { stderr: (text) => void process.stderr.write(text), nowMs: () => Date.now(), pid: process.pid });
  }

  async run(): Promise<number> {
    const start = this.#start;
    this.#warnOfDeprecation();
    onStopRequest(() => this.#ended.resolve(0));
    const runtime = new RemoteRuntime({
      server: start.server,
      userAgent: this.#kind.name,
      contentType: this.#flags.text('kube-api-content-type'),
      seed: randomInt(2 ** 32),
      log: (line) => this.#log.error(place, line),
      onFailure: this.#ended.reject,
    });
    let ports: Ports | undefined;
    try {
      ports = await openPorts(this.#state(runtime));
      this.#begin(runtime, start, ports).catch((error: unknown) =>
        this.#ended.reject(error instanceof StatusError ? badUsage(`failed to wait for apiserver being healthy: ${error.message}`) : error),
      );
      return await this.#ended.promise;
    } finally {
      await this.#elector?.stop(this.#releasesLock).catch((error: Error) => this.#log.error(place, `the lock was not given back: ${error.message}`));
      await runtime.close();
      await ports?.close();
      this.#log.close();
    }
  }

  #warnOfDeprecation(): void {
    const { line } = this.#start;
    for (const { name, deprecated } of line.flags)
      if (deprecated !== undefined && line.isGiven(name)) this.#log.warning(place, `Flag --${name} has been deprecated, ${deprecated}`);
  }

  async #begin(runtime: RemoteRuntime, { server, emulated, given, times }: Start, ports: Ports): Promise<void> {
    const release = emulated ?? (await releaseOfServer(runtime.connection));
    await runtime.discover();
    this.#release = release.gitVersion;
    const settings = new Settings(given, release);
    this.#defaults = release.flagDefaults;
    this.#log.info(
      place,
      `${this.#kind.name} of ${release.name} at ${server.server}; secure port ${ports.secure ?? 'off'}, port ${ports.insecure ?? 'off'}`,
    );
    const work = async (): Promise<void> => {
      this.#running = await this.#work({ flags: this.#flags, settings, release, runtime, server, log: this.#log });
      process.stdout.write(`${this.#kind.name} of ${release.name} runs against ${server.server}: ${this.#running.names.join(', ')}\n`);
    };
    if (!this.#flags.isOn('leader-elect')) return work();
    const { releasesLock } = this.#kind;
    const isOn = (gate: string): boolean => new FeatureGates(release.featureGates, settings.text('feature-gates')).enabled(gate);
    this.#releasesLock = typeof releasesLock === 'boolean' ? releasesLock : isOn(releasesLock.gate);
    this.#elect(runtime, settings, times, work);
  }

  #elect(runtime: RemoteRuntime, settings: Settings, times: ElectionTimes, work: () => Promise<void>): void {
    const identity = `${hostname()}_${randomUUID()}`;
    const lock = createLock(settings.text('leader-elect-resource-lock'), lockPlace(this.#flags), runtime.client('leader-election'));
    const recorder = runtime.recorder('leader-election', this.#kind.eventSource(this.#flags));
    const elector = new LeaderElector({
      component: 'leader-election',
      loop: runtime.loop,
      random: runtime.random.stream('leader-election'),
      lock,
      identity,
      times,
      onStartedLeading: () => {
        const { apiVersion, kind, name, namespace } = lock.reference;
        recorder.event({ apiVersion, kind, metadata: { name, namespace } }, 'Normal', 'LeaderElection', `${identity} became leader`, []);
        work().catch(this.#ended.reject);
      },
      onStoppedLeading: () => {
        this.#log.error(place, 'leaderelection lost');
        // A manager that gives its lock back ends like one that was told to.
        this.#ended.resolve(typeof this.#kind.releasesLock === 'object' && this.#releasesLock ? 0 : stoppedLeadingCode);
      },
      onNewLeader: (leader) => this.#log.info(place, leader === identity ? 'this replica leads' : `new leader elected: ${leader}`),
      onError: (error) => this.#log.error(place, `error retrieving or updating the lock: ${error.message}`),
    });
    this.#elector = elector;
    runtime.loop.register(elector);
    runtime.deliver('leader-election', () => elector.start());
  }

  #state(runtime: RemoteRuntime): DaemonState {
    return {
      daemon: this.#kind.name,
      flags: this.#flags,
      log: this.#log,
      release: () => this.#release,
      startedMs: this.#startedMs,
      nowMs: () => Date.now(),
      checks: (path) => checksAt(this.#kind.health, path, this.#running.names)?.map((name) => this.#check(name)),
      metrics: () => this.#metrics(runtime),
      resources: () => (this.#kind.tellsResources ? (this.#running.resources?.() ?? []) : undefined),
      configz: () => configzText(this.#kind.configuration, this.#flags, this.#defaults),
      healthPaths: Object.keys(this.#kind.health.paths),
      tally: this.#tally,
    };
  }

  #check(name: string): HealthCheck {
    const isOverdue = (): boolean => this.#elector?.isOverdue(renewGraceMs) === true;
    const problem = (): string | undefined => (isOverdue() ? `failed election to renew leadership on lease ${this.#kind.name}` : undefined);
    if (name === electionCheck) return { name, problem };
    // A scheduler is not ready before it knows what its server has.
    return { name, problem: () => (name === handlersCheck && this.#release === '' ? 'waiting for handlers to sync' : undefined) };
  }

  #metrics(runtime: RemoteRuntime): readonly Metric[] {
    const { name } = this.#kind;
    const elector = this.#elector;
    const answered = [...runtime.connection.answered].map(([key, count]) => {
      const [method = '', code = ''] = key.split(' ');
      return [{ code, method }, count] as const;
    });
    return [
      {
        name: 'rest_client_requests_total',
        type: 'counter',
        help: '[ALPHA] Number of HTTP requests, partitioned by status code, method, and host.',
        samples: answered,
      },
      {
        name: 'running_managed_controllers',
        type: 'gauge',
        help: 'What runs here',
        samples: this.#running.names.map((one) => [{ manager: name, name: one }, 1]),
      },
      ...this.#running.metrics(),
      ...(elector === undefined
        ? []
        : [
            {
              name: 'leader_election_master_status',
              type: 'gauge',
              help: '1 while this replica leads',
              samples: [[{ name }, elector.isLeading ? 1 : 0]],
            } satisfies Metric,
          ]),
    ];
  }
}

/** Throws a CommandError for flags that are wrong by themselves or together. */
function startOf(daemon: string, flags: FlagValues, line: FlagValues): Start {
  const server = serverOf(flags);
  const times = electionTimes(daemon, flags);
  if (flags.isOn('leader-elect')) checkElectionTimes(times);
  const emulated = emulatedRelease(flags);
  const given = settingsGiven(flags);
  checkSettings(given, emulated, flags);
  return { line, times, emulated, given, server };
}

/** What the leader holds; flags of an older name count where the present one was not given. */
function lockPlace(flags: FlagValues): { readonly name: string; readonly namespace: string } {
  const either = (flag: string, old: string): string => flags.text(!flags.isGiven(flag) && flags.flags.some(({ name }) => name === old) ? old : flag);
  return {
    name: either('leader-elect-resource-name', 'lock-object-name'),
    namespace: either('leader-elect-resource-namespace', 'lock-object-namespace'),
  };
}

function electionTimes(daemon: string, flags: FlagValues): ElectionTimes {
  const lock = flags.text('leader-elect-resource-lock');
  const isKnown = lockKinds.includes(lock) && (lock !== 'leases' || flags.dialect !== 'old');
  if (lock !== '' && !isKnown) throw unknownLock(daemon, flags, `Invalid lock-type ${lock}`);
  return {
    leaseMs: flags.milliseconds('leader-elect-lease-duration'),
    renewDeadlineMs: flags.milliseconds('leader-elect-renew-deadline'),
    retryMs: flags.milliseconds('leader-elect-retry-period'),
  };
}

function unknownLock(daemon: string, { dialect }: FlagValues, why: string): Error {
  if (dialect !== 'old') return badUsage(why);
  return daemon === 'kube-controller-manager' ? fatal(`error creating lock: ${why}`) : badUsage(`couldn't create resource lock: ${why}`);
}

export function emulatedRelease(flags: FlagValues): Release | undefined {
  return releaseOf(flags.text('emulate'), true);
}

function releaseOf(name: string, isAsked: boolean): Release | undefined {
  if (name === '' || !isAsked) return undefined;
  const release = getRelease(name);
  if (release === undefined) throw badUsage(`invalid argument ${JSON.stringify(name)} for "--emulate" flag: expected ${releaseNames()}`);
  return release;
}

/** A policy is read from flags alone, with a file where a cluster has its text. */
const ofPolicies: ReadonlySet<string> = new Set(['policy-config-file', 'algorithm-provider', 'hard-pod-affinity-symmetric-weight']);

/** Options of the control plane that were given, under the names that clusters know; times of an election count where there is one. */
function settingsGiven(flags: FlagValues): Readonly<Record<string, string>> {
  const counts = (name: string): boolean => !ofPolicies.has(name) && (flags.isOn('leader-elect') || !name.startsWith('leader-elect-'));
  const names = flags.flags.map(({ name }) => name).filter((name) => flags.isGiven(name) && getFlag(name) !== undefined && counts(name));
  return Object.fromEntries(names.map((name) => [name, settingText(flags, name)]));
}

/** Of a flag that is said again the last counts, but lists add up. */
function settingText(flags: FlagValues, name: string): string {
  if (name === 'feature-gates') return gatesText(flags);
  // Beyond all numbers there is no limit either.
  if (name === 'kube-api-qps' && !Number.isFinite(flags.number(name))) return '-1';
  return flags.typeOf(name) === 'strings' ? flags.list(name).join(',') || flags.text(name) : flags.text(name);
}

function checkSettings(given: Readonly<Record<string, string>>, release: Release | undefined, flags: FlagValues): void {
  try {
    new Settings(given, release);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw (flags.dialect === 'old' ? fatalSetting(flags, error.message) : undefined) ?? badUsage(upstreamWords(error.message));
  }
}

/** What the settings call wrong, as upstream's daemons say it. */
function upstreamWords(message: string): string {
  const controller = /expected names of controllers \((.*) is not one\)/.exec(message)?.[1];
  if (controller !== undefined) return `${JSON.stringify(controller)} is not in the list of known controllers`;
  const cloud = /^invalid value (".*") for --cloud-provider: /.exec(message)?.[1];
  if (cloud !== undefined)
    return `cloud provider ${cloud} was specified, but built-in cloud providers are disabled. Please set --cloud-provider=external and migrate to an external cloud provider`;
  return message.replace(/^invalid value (".*") for --feature-gates: /, '');
}
