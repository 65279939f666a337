import { expect, it } from 'vitest';
import { differingFields } from './differing-fields.ts';

const template = (container: object, more: object = {}) => ({ spec: { containers: [{ name: 'c', image: 'a', ...container }], ...more } });

const cases = [
  { name: 'nothing', one: template({}), other: template({}), want: [] },
  { name: 'a command that goes', one: template({ command: ['sh'] }), other: template({}), want: ['spec.containers[c].command'] },
  {
    name: 'an image and a variable',
    one: template({ env: [{ name: 'A', value: '1' }] }),
    other: template({ image: 'b', env: [{ name: 'A', value: '2' }] }),
    want: ['spec.containers[c].image', 'spec.containers[c].env[A].value'],
  },
  {
    name: 'a container more',
    one: template({}),
    other: { spec: { containers: [{ name: 'c', image: 'a' }, { name: 'd' }] } },
    want: ['spec.containers[d]'],
  },
  { name: 'lists without names', one: template({ args: ['a'] }), other: template({ args: ['b'] }), want: ['spec.containers[c].args'] },
  { name: 'names that stand twice', one: { list: [{ name: 'a' }, { name: 'a' }] }, other: { list: [] }, want: ['list'] },
  { name: 'a label that objects know', one: { labels: { constructor: 'a' } }, other: { labels: {} }, want: ['labels.constructor'] },
  { name: 'what is not there', one: undefined, other: template({}, {}), want: [''] },
];
it.each(cases)('of templates tells $name', ({ one, other, want }) => expect(differingFields(one as never, other as never)).toEqual(want));
