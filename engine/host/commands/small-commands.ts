/** The commands about clusters that run already. They need little of the engine, so they load little of it. */
import { Command, CommanderError } from 'commander';
import { CommandError } from '../command-error.ts';
import { runClock } from './clock.ts';
import type { Given } from './given.ts';
import { runList, runStatus, runStop } from './list.ts';

const names: ReadonlySet<string> = new Set(['list', 'status', 'stop', 'clock']);

export function isSmall([name = '']: readonly string[]): boolean {
  return names.has(name);
}

/** Runs the command that `argv` names and resolves with the exit code. */
export function runSmall(argv: readonly string[]): Promise<number> {
  return parsed(argv, newProgram(), addSmallCommands);
}

export function newProgram(): Command {
  return new Command('wavetank')
    .description('A complete Kubernetes cluster in one process, on a clock of its own')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
}

/** What a command ends with is kept until all of the line was read. */
export type Action = <A extends unknown[]>(run: (...args: A) => Promise<number>) => (...args: A) => Promise<void>;

/** Runs `argv` by the commands that `add` gives. Unknown or bad flags end with one line and exit code 2. */
export async function parsed(argv: readonly string[], program: Command, add: (program: Command, action: Action) => void): Promise<number> {
  let code = 0;
  add(program, (run) => async (...args) => {
    code = await run(...args);
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    throw new CommandError(
      error.code === 'commander.help' ? 'say what to do; `wavetank --help` lists the commands' : error.message.replace(/^error: /, ''),
    );
  }
  return code;
}

export function addSmallCommands(program: Command, action: Action): void {
  program
    .command('list')
    .description('running clusters')
    .option('--output <format>')
    .action(action((options: Given) => runList(options)));
  program
    .command('status [name]')
    .description('one running cluster')
    .option('--output <format>')
    .action(action((name: string | undefined, options: Given) => runStatus(name, options)));
  program
    .command('stop [name]')
    .description('stop a cluster')
    .action(action((name: string | undefined) => runStop(name)));
  program
    .command('clock <act> [value]')
    .description('steer time: pause, resume, speed N|max, step, advance DURATION')
    .option('--name <name>', 'which cluster, when several run')
    .option('--output <format>')
    .action(action((act: string, value: string | undefined, options: Given) => runClock(act, value, options)));
}
