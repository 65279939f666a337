import { expect, test } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Suspect } from './board.ts';
import { Judged, judgedAtOnce } from './judged.ts';

const suspect = (key: string): Suspect => ({ key, row: key, resource: 'pods', sinceMs: 0, revision: 1 });
const object = (name: string): KubeObject => ({ kind: 'Pod', apiVersion: 'v1', metadata: { name } });

class Tank {
  readonly judged = new Judged();
  readonly objects = new Map<string, KubeObject>();
  readonly wrong = new Set<string>();
  looks = 0;

  read(): readonly string[] {
    const entries = this.judged.entries([...this.objects.keys()].map(suspect), {
      stored: (key) => this.objects.get(key),
      judge: ({ row, sinceMs, revision }, judged) => {
        this.looks++;
        return this.wrong.has(row) ? { row, object: judged, finding: { reason: 'Wrong', summary: '' }, sinceMs, revision } : undefined;
      },
    });
    return entries.map(({ row }) => row);
  }
}

test('few suspects are told as they are at each reading', () => {
  const tank = new Tank();
  for (const name of ['a', 'b']) tank.objects.set(name, object(name));
  expect(tank.read()).toEqual([]);
  tank.wrong.add('a');
  expect(tank.read()).toEqual(['a']);
  tank.wrong.delete('a');
  expect(tank.read()).toEqual([]);
});

test('of very many, those that changed are judged at once and the others in turn', () => {
  const tank = new Tank();
  const all = Array.from({ length: 3 * judgedAtOnce }, (_, index) => `p${index}`);
  for (const name of all) tank.objects.set(name, object(name));
  tank.read();
  tank.looks = 0;
  const last = all.at(-1) ?? '';
  tank.wrong.add(last);
  tank.objects.set(last, object(last));
  expect(tank.read()).toEqual([last]);
  expect(tank.looks).toBe(judgedAtOnce + 1);
  // Nothing but time says that this one is wrong by now.
  tank.wrong.add('p7');
  const told = [tank.read(), tank.read(), tank.read()];
  expect(told.at(-1)).toEqual(['p7', last]);
  expect(tank.looks).toBeLessThanOrEqual(4 * judgedAtOnce + 1);
});
