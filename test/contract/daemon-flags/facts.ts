/** What the real daemons said to command lines (`facts.json`, made by `record.ts`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Undefined words: the daemon took the line, and went on to its kubeconfig. */
export interface Fact {
  readonly release: string;
  readonly daemon: string;
  readonly args: readonly string[];
  readonly said: { readonly code: number; readonly words: string } | undefined;
}

/** What a machine is like decides these: who listens where, and what it is called. */
const ofTheMachine = /failed to listen|no such host/;

export function readFacts(): readonly Fact[] {
  const text = readFileSync(join(import.meta.dirname, 'facts.json'), 'utf8');
  const facts = JSON.parse(text) as { readonly [daemon: string]: { readonly [line: string]: readonly [code: number, words: string] | null } };
  return Object.entries(facts).flatMap(([name, lines]) => {
    const [release = '', daemon = ''] = name.split(' ');
    return Object.entries(lines)
      .filter(([, said]) => said === null || !ofTheMachine.test(said[1]))
      .map(([line, said]) => ({
        release,
        daemon,
        args: JSON.parse(line) as string[],
        said: said === null ? undefined : { code: said[0], words: said[1] },
      }));
  });
}
