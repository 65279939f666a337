import { expect, test } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { Random } from '../base/random.ts';
import type { Answer, GivenAnswer, Question } from '../contracts/questions.ts';
import { createStore } from '../store/memory-store.ts';
import { Asked, askWith, DoorAttempt } from './attempt.ts';

const said = (message: string): Answer => ({ outcome: 'failed', message });

const asking = (to: string, of: number): Question => ({ to, body: { of }, timeoutMs: 1_000 });

function anAttempt(answers: readonly GivenAnswer[]): DoorAttempt {
  return new DoorAttempt(createStore<KubeObject>(), new Random(1), answers);
}

test('a log says only who answered: each question gets the next answer, and one too many is asked', () => {
  const answers = ['first', 'second'].map((message): GivenAnswer => ({ question: { to: 'hook' }, answer: said(message) }));
  const attempt = anAttempt(answers);
  expect([attempt.ask(asking('hook', 1)), attempt.ask(asking('hook', 2))]).toEqual([said('first'), said('second')]);
  expect(attempt.used).toEqual(answers);
  expect(() => attempt.ask(asking('hook', 3))).toThrow(Asked);
});

test('an answer is for what was asked, whoever else was asked too', () => {
  const given = (to: string, of: number): GivenAnswer => ({ question: asking(to, of), answer: said(`${to} ${of}`) });
  const attempt = anAttempt([given('a', 1), given('b', 1), given('a', 2)]);
  expect(attempt.ask(asking('a', 2))).toEqual(said('a 2'));
  expect(attempt.ask(asking('b', 1))).toEqual(said('b 1'));
  expect(() => attempt.ask(asking('b', 2))).toThrow(Asked);
});

test('a filter may ask the same thing again and again', () => {
  const ask = askWith([{ question: asking('hook', 1), answer: said('yes') }]);
  expect([ask(asking('hook', 1)), ask(asking('hook', 1))]).toEqual([said('yes'), said('yes')]);
});
