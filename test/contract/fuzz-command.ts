/** `npm run fuzz -- [--seed N] [--requests N]`: malformed requests of one seed. Exit codes: 0 all well, 1 one was answered wrongly, 2 bad options. */
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';

const standard = { seed: 1, requests: 3_000 };

function wholeNumber(name: string, text: string | undefined, fallback: number, least: number): number {
  const value = text === undefined ? fallback : Number(text);
  if (text?.trim() === '' || !Number.isSafeInteger(value) || value < least)
    throw new TypeError(`invalid value ${JSON.stringify(text)} for --${name}: expected a whole number from ${least}`);
  return value;
}

function options(): { readonly seed: number; readonly requests: number } {
  const { values } = parseArgs({ options: { seed: { type: 'string' }, requests: { type: 'string' } } });
  return {
    seed: wholeNumber('seed', values.seed, standard.seed, 0),
    requests: wholeNumber('requests', values.requests, standard.requests, 1),
  };
}

function main(): number {
  let given;
  try {
    given = options();
  } catch (error) {
    process.stderr.write(`fuzz: ${(error as Error).message.split('\n')[0]}\n`);
    return 2;
  }
  const { seed, requests } = given;
  let failed = 0;
  try {
    fuzz(seed, requests);
  } catch (error) {
    failed = 1;
    process.stdout.write(`${(error as Error).stack ?? String(error)}\n`);
  }
  process.stdout.write(`seed=${seed} requests=${requests} failed=${failed}\n`);
  return failed;
}

process.exitCode = main();
