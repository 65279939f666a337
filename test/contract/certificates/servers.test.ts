/** What Go said to certificates that servers show is what Wavetank says to those of simulated pods. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { certificateJudge } from '../../../engine/serving/x509/certificate-judge.ts';

interface Trial {
  readonly what: string;
  readonly chain: string;
  readonly authorities: string;
  readonly name: string;
  readonly nowMs: number;
  /** Empty where nothing is wrong. */
  readonly fault: string;
}

const trials = JSON.parse(readFileSync(new URL('./servers.json', import.meta.url), 'utf8')) as readonly Trial[];

it.each(trials.map((trial) => [trial.what, trial] as const))('%s', (_what, { chain, fault, ...trust }) => {
  const found = certificateJudge.serverFault(chain, trust);
  expect(found === undefined ? '' : `x509: ${found}`).toBe(fault);
});

it('gives up on more signatures than a search may look at', () => {
  const [{ chain, name, nowMs }, { chain: other }] = [trials[0], trials.find(({ what }) => what === 'right, with its authority')] as [Trial, Trial];
  const authority = other.slice(other.lastIndexOf('-----BEGIN'));
  const strangers = trials.find(({ what }) => what === 'another authority of that name')?.authorities ?? '';
  expect(authority).not.toBe(strangers);
  const many = certificateJudge.serverFault(chain, { authorities: strangers.repeat(200) + authority, name, nowMs });
  expect(many).toBe('signature check attempts limit reached while verifying certificate chain');
});
