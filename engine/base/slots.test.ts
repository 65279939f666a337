import { expect, test } from 'vitest';
import { addedLater, data, fixedList, flag, list, mapOf, nullable, number, oneOf, optional, record, shape, StateError, text } from './codecs.ts';
import type { JsonValue } from './json.ts';
import { differences, Slots } from './slots.ts';

interface Visit {
  readonly atMs: number;
  readonly why: 'tide' | 'storm';
  readonly crew: readonly string[];
  readonly note: string | undefined;
  readonly pilot: string | null;
}

const visitCodec = record<Visit>({ atMs: number, why: oneOf('tide', 'storm'), crew: list(text), note: optional(text), pilot: nullable(text) });

function makeHarbour() {
  const slots = new Slots();
  const harbour = {
    slots,
    visits: slots.map('visits', visitCodec),
    flags: slots.set('flags'),
    berths: slots.part('berths').map('byName', mapOf(number)),
    open: false,
    papers: {} as object,
  };
  slots.field(
    'open',
    flag,
    () => harbour.open,
    (open) => {
      harbour.open = open;
    },
  );
  slots.field(
    'papers',
    data<object>(),
    () => harbour.papers,
    (papers) => {
      harbour.papers = papers;
    },
  );
  slots.mustBeThere('open');
  return harbour;
}

function usedHarbour() {
  const harbour = makeHarbour();
  harbour.visits.set('b', { atMs: 5, why: 'storm', crew: ['x', 'y'], note: undefined, pilot: null });
  harbour.visits.set('a', { atMs: 1, why: 'tide', crew: [], note: 'late', pilot: 'z' });
  harbour.flags.add('red');
  harbour.berths.set('north', new Map([['ship', 3]]));
  harbour.open = true;
  harbour.papers = { any: ['thing'] };
  return harbour;
}

function saved(): { [slot: string]: JsonValue } {
  return JSON.parse(JSON.stringify(usedHarbour().slots.save())) as { [slot: string]: JsonValue };
}

test('what is declared is saved and restored, in order, through JSON text', () => {
  const harbour = makeHarbour();
  harbour.flags.add('of before');
  let restored = 0;
  harbour.slots.onRestored(() => restored++);
  harbour.slots.restore(saved(), 'harbour');
  const { slots, ...members } = harbour;
  const { slots: _slots, ...wanted } = usedHarbour();
  expect(members).toEqual(wanted);
  expect([...harbour.visits.keys()]).toEqual(['b', 'a']);
  expect(differences(slots.save(), saved())).toEqual([]);
  expect(restored).toBe(1);
});

test.each<[string, (state: { [slot: string]: JsonValue }) => void, string]>([
  [
    'a number of text',
    (state) => (state['visits'] = [['b', { atMs: '5', why: 'storm', crew: [], pilot: null }]]),
    'harbour.visits.b.atMs is not a number: "5"',
  ],
  [
    'a word nobody knows',
    (state) => (state['visits'] = [['b', { atMs: 5, why: 'fog', crew: [], pilot: null }]]),
    'harbour.visits.b.why is not one of tide, storm: "fog"',
  ],
  ['a list of the wrong things', (state) => (state['flags'] = ['red', 1]), 'harbour.flags[1] is not text: 1'],
  ['a slot that must be there and is not', (state) => delete state['open'], 'harbour.open is not there: absent'],
  ['a slot that nobody declared', (state) => (state['moat'] = 1), 'harbour.moat is not declared: 1'],
  [
    'a member that nobody declared',
    (state) => (state['visits'] = [['b', { atMs: 5, why: 'tide', crew: [], pilot: null, x: 1 }]]),
    'harbour.visits.b.x is not known: 1',
  ],
  [
    'a part of another shape',
    (state) => (state['berths'] = { byName: [['north', [['ship']]]] }),
    'harbour.berths.byName.north[0] is not a pair: ["ship"]',
  ],
])('state with %s is refused with its place, and nothing changes', (_what, damage, message) => {
  const state = saved();
  damage(state);
  const harbour = usedHarbour();
  expect(() => harbour.slots.restore(state, 'harbour')).toThrow(StateError);
  expect(() => harbour.slots.restore(state, 'harbour')).toThrow(message);
  expect(differences(harbour.slots.save(), saved())).toEqual([]);
});

test('state of before some slots were declared leaves them as they begin, whole parts too, and all that is there is checked', () => {
  const harbour = makeHarbour();
  harbour.slots.restore({ open: true, flags: ['red'] }, 'harbour');
  const { slots: _slots, ...wanted } = makeHarbour();
  expect({ ...harbour, slots: undefined }).toEqual({ ...wanted, flags: new Set(['red']), open: true, slots: undefined });
  expect(() => makeHarbour().slots.restore({ open: true, berths: { byName: [['north']] } }, 'harbour')).toThrow('harbour.berths.byName[0]');
  expect(() => makeHarbour().slots.restore({ open: true, visits: null }, 'harbour')).toThrow('harbour.visits is not a list of pairs: null');
});

test('a member that was added to a record later is absent in old data, and checked where it is there', () => {
  const codec = record({ atMs: number, isNew: addedLater(flag, () => false) });
  expect(codec.decode({ atMs: 5 }, 'x')).toEqual({ atMs: 5, isNew: false });
  expect(list(codec).decode([{ atMs: 5, isNew: true }, { atMs: 6 }], 'x')).toEqual([
    { atMs: 5, isNew: true },
    { atMs: 6, isNew: false },
  ]);
  expect(() => codec.decode({ atMs: 5, isNew: null }, 'x')).toThrow('x.isNew is not true or false: null');
  const fixed = shape({ atMs: number, isNew: addedLater(flag, () => false) });
  expect(fixedList(fixed).decode([{ atMs: 5 }], 'x')).toEqual([{ atMs: 5, isNew: false }]);
});

test('a slot is declared once', () => {
  const slots = new Slots();
  slots.set('a');
  expect(() => slots.map('a', text)).toThrow('slot a is declared once');
});

test('differences name the paths', () => {
  expect(differences({ a: [1, { b: 2 }], c: 'x' }, { a: [1, { b: 3 }], d: null })).toEqual(['a.1.b', 'c', 'd']);
});

test('maps of many are objects whose order is worked out again, and families make their parts', () => {
  const made = (): {
    readonly slots: Slots;
    readonly many: Map<string, number>;
    readonly parts: Map<string, Slots>;
    readonly sets: Map<string, Set<string>>;
  } => {
    const slots = new Slots();
    const many = slots.members('many', number, (a, b) => a - b);
    const parts = new Map<string, Slots>();
    const sets = new Map<string, Set<string>>();
    slots.family('nodes', parts, (key) => {
      const part = parts.get(key) ?? new Slots();
      if (!parts.has(key)) sets.set(key, part.set('seen'));
      parts.set(key, part);
      return part;
    });
    return { slots, many, parts, sets };
  };
  const first = made();
  first.many.set('b', 2).set('7', 3).set('a', 1);
  const part = new Slots();
  first.parts.set('n1', part);
  part.set('seen').add('x');
  const saved = JSON.parse(JSON.stringify(first.slots.save()));
  expect(saved).toEqual({ many: { b: 2, 7: 3, a: 1 }, nodes: { n1: { seen: ['x'] } } });
  const second = made();
  second.slots.restore(saved, 'test');
  expect([...second.many]).toEqual([
    ['a', 1],
    ['b', 2],
    ['7', 3],
  ]);
  expect([...(second.sets.get('n1') ?? [])]).toEqual(['x']);
  expect(() => made().slots.restore({ ...saved, nodes: { n1: { seen: [1] } } }, 'test')).toThrow('test.nodes.n1.seen');
});

test('what is saved beside an earlier state shares what has stayed, and is what is saved anew', () => {
  const harbour = usedHarbour();
  for (let i = 0; i < 50; i++) harbour.visits.set(`v${i}`, { atMs: i, why: 'tide', crew: ['x'], note: undefined, pilot: null });
  const steps: readonly (() => void)[] = [
    () => undefined,
    () => harbour.visits.set('v7', { atMs: 7, why: 'storm', crew: ['x', 'z'], note: undefined, pilot: null }),
    () => harbour.visits.delete('v0'),
    () => void [harbour.visits.delete('v9'), harbour.visits.set('v9', { atMs: 9, why: 'tide', crew: ['x'], note: 'again', pilot: null })],
    () => void (harbour.visits.delete('v49'), harbour.visits.set('last', { atMs: 99, why: 'tide', crew: [], note: undefined, pilot: 'p' })),
    () => void [harbour.flags.delete('red'), harbour.flags.add('blue'), harbour.flags.add('red')],
    () => harbour.berths.get('north')?.set('boat', 1),
    () => harbour.visits.clear(),
  ];
  let before = harbour.slots.save() as { [slot: string]: JsonValue };
  for (const [index, step] of steps.entries()) {
    const text = JSON.stringify(before);
    step();
    const now = harbour.slots.save(before) as { [slot: string]: JsonValue };
    expect(JSON.stringify(now)).toBe(JSON.stringify(harbour.slots.save()));
    expect(JSON.stringify(before)).toBe(text);
    if (index === 0) expect(now).toBe(before);
    if (index === 1) expect((now['visits'] as JsonValue[])[20]).toBe((before['visits'] as JsonValue[])[20]);
    if (index < 5) expect(now['berths']).toBe(before['berths']);
    before = now;
  }
});
