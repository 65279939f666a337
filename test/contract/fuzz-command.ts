/**
 * `npm run fuzz -- [--seed N] [--requests N] [--living]`: malformed requests of one seed, or so many rounds of hostile objects for a cluster
 * that lives. Exit codes: 0 all well, 1 one was answered wrongly or something crashed, 2 bad options.
 */
import { scriptOptions } from '../../build/script-options.ts';
import { livingFuzz } from '../simulation/living-fuzz.ts';
import { fuzz } from './fuzz.ts';

const standard = { seed: 1, requests: 3_000, rounds: 300 };

function wholeNumber(name: string, text: string | undefined, fallback: number, least: number): number {
  const value = text === undefined ? fallback : Number(text);
  if (text?.trim() === '' || !Number.isSafeInteger(value) || value < least)
    throw new TypeError(`invalid value ${JSON.stringify(text)} for --${name}: expected a whole number from ${least}`);
  return value;
}

function options(): { readonly seed: number; readonly requests: number; readonly living: boolean } {
  const { values } = scriptOptions(import.meta.filename, {
    options: { seed: { type: 'string' }, requests: { type: 'string' }, living: { type: 'boolean' } },
  });
  return {
    seed: wholeNumber('seed', values.seed, standard.seed, 0),
    requests: wholeNumber('requests', values.requests, values.living === true ? standard.rounds : standard.requests, 1),
    living: values.living === true,
  };
}

async function main(): Promise<number> {
  let given;
  try {
    given = options();
  } catch (error) {
    process.stderr.write(`fuzz: ${(error as Error).message.split('\n')[0]}\n`);
    return 2;
  }
  const { seed, requests, living } = given;
  let failed = 0;
  try {
    const findings = living ? await livingFuzz(seed, requests) : [];
    if (!living) fuzz(seed, requests);
    if (findings.length > 0) throw new Error(findings.join('\n'));
  } catch (error) {
    failed = 1;
    process.stdout.write(`${(error as Error).stack ?? String(error)}\n`);
  }
  process.stdout.write(`seed=${seed} requests=${requests} failed=${failed}\n`);
  return failed;
}

process.exitCode = await main();
