/** The commands and their options, as data for commander. Unknown or bad flags end with one line and exit code 2. */
import { Command, Option } from 'commander';
import { defaultOf, flags } from '../../cluster/flags.ts';
import { defaultRelease, releaseNames } from '../../releases/releases.ts';
import { CommandError } from '../command-error.ts';
import { engineVersion } from '../session.ts';
import { auditFlags } from './audit-options.ts';
import { authenticationFlags } from './authentication-options.ts';
import { encryptionFlags } from './encryption-options.ts';
import { repeatedServingFlags, servingFlags } from './serving-options.ts';
import { repeatedFlags, serviceAccountFlags } from './service-account-options.ts';
import type { Given } from './given.ts';
import { runReplay } from './replay.ts';
import { type Action, addSmallCommands, newProgram, parsed } from './small-commands.ts';
import { interruptedCode, onStopRequest } from './stop-requests.ts';
import { runUp } from './up.ts';

/** Runs the command that `argv` names and resolves with the exit code. */
export function createProgram(argv: readonly string[]): Promise<number> {
  return parsed(argv, newProgram().version(engineVersion), addCommands);
}

function addCommands(program: Command, action: Action): void {
  /** Has nothing to put in order: it ends where it is told to. */
  const breakable = <A extends unknown[]>(run: (...args: A) => Promise<number>) => {
    return action((...args: A) => {
      onStopRequest(() => process.exit(interruptedCode));
      return run(...args);
    });
  };

  withUpOptions(program.command('up'))
    .description('start a cluster')
    .action(action((options: Given) => runUp(options)));
  addSmallCommands(program, action);
  withFlags(program.command('run <scenario>'))
    .description('run a scenario by name or file and say its verdict')
    .option('--emulate <release>', emulateHelp())
    .option('--seed <n>', 'seed of all chance')
    .option('--speed <speed>', 'virtual seconds a second, or `max`')
    .option('--output <format>')
    .action(
      breakable((scenario: string, options: Record<string, string>) => import('./run.ts').then((module) => module.runScenario(scenario, options))),
    );
  daemonCommand(program, 'controller-manager').action(
    action((args: string[]) =>
      import('../daemons/controller-manager.ts').then(async ({ controllerManager }) =>
        (await import('../daemons/daemon.ts')).runDaemon(controllerManager, args),
      ),
    ),
  );
  daemonCommand(program, 'scheduler').action(
    action((args: string[]) =>
      import('../daemons/scheduler.ts').then(async ({ schedulerDaemon }) => (await import('../daemons/daemon.ts')).runDaemon(schedulerDaemon, args)),
    ),
  );
  program
    .command('replay <file>')
    .description('run a recorded session again and compare digests')
    .option('--encryption-provider-config <file>', 'the keys of a session that is encrypted')
    .option('--output <format>')
    .action(breakable((file: string, options: Record<string, string>) => runReplay(file, options)));
}

/** A daemon reads its flags itself, as upstream's do, `--help` too. */
function daemonCommand(program: Command, name: string): Command {
  return program
    .command(`${name} [flags...]`)
    .description(`run the ${name} as a process of its own against any API server; --help lists its flags`)
    .allowUnknownOption()
    .passThroughOptions()
    .helpOption(false);
}

function emulateHelp(): string {
  return `the release to be: ${releaseNames()}`;
}

/** The options of `wavetank up` in these arguments; what the desktop app starts with. */
export function parseUp(argv: readonly string[]): Given {
  const command = withUpOptions(new Command('up'))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  try {
    return command.parse([...argv], { from: 'user' }).opts<Given>();
  } catch (error) {
    throw new CommandError((error as Error).message.replace(/^error: /, ''));
  }
}

function withUpOptions(command: Command): Command {
  for (const { name, value, default: standard, help } of [
    ...auditFlags,
    ...authenticationFlags,
    ...serviceAccountFlags,
    ...encryptionFlags,
    ...servingFlags,
  ])
    command.addOption(valued(name, value, `${help} (default ${standard === '' ? 'none' : standard})`));
  return withFlags(command)
    .option('--name <name>', 'name of the cluster')
    .option('--emulate <release>', emulateHelp())
    .option('--nodes <n>', 'how many nodes')
    .option('--zones <n>', 'over how many zones')
    .option('--port <port>', 'port of the API; 0 takes any free one')
    .option('--kubeconfig <file>', 'where to write the kubeconfig')
    .option('--merge-kubeconfig', 'also put the cluster into your own kubeconfig and make it current')
    .option('--seed <n>', 'seed of all chance')
    .option('--speed <speed>', 'virtual seconds a second, `max` or `paused`')
    .option('--start-time <time>', 'virtual time at the start (RFC 3339)')
    .option('--session <file>', 'keep the session in this file, and go on with it when it exists')
    .option(
      '--session-maxsize <megabytes>',
      'beyond this the session loses its oldest part, and a replay begins later; 0 keeps it whole (default 1024)',
    )
    .option('--output <format>', '`json` prints one object when the cluster is ready')
    .option('--no-warm-up', 'do not warm the process up while nothing happens at first; the first requests are slower then')
    .option('--no-ui', 'do not serve the page')
    .option('--no-controllers', 'run no controllers: `wavetank controller-manager` or the real one does their work')
    .option('--no-scheduler', 'run no scheduler: `wavetank scheduler` or the real one does its work');
}

/** What is true or false is true when it is only named, as in every program of Kubernetes. */
function valued(name: string, value: string, help: string): Option {
  if (value === 'true|false') return new Option(`--${name} [${value}]`, help).preset('true');
  if (repeatedFlags.has(name) || repeatedServingFlags.has(name))
    return new Option(`--${name} <${value}>`, help).argParser((text: string, before: readonly string[] = []) => [...before, text]);
  return new Option(value === '' ? `--${name}` : `--${name} <${value}>`, help);
}

/** Options of the control plane under their upstream names. */
function withFlags(command: Command): Command {
  for (const flag of flags) {
    const { name, type, help, idle } = flag;
    const standard = defaultOf(flag, defaultRelease);
    const value = type === 'boolean' ? `[${type}]` : `<${type}>`;
    command.addOption(
      new Option(
        `--${name} ${value}`,
        `${help} (default ${standard === '' ? 'none' : standard}${idle === undefined ? '' : `; without effect: ${idle}`})`,
      ),
    );
  }
  return command;
}
