/** How upstream says at run time that nothing takes these values; operators say it by what a type can do (cel-go interpreter, common/types). */
import { CelError, type CelValue, typeOf } from './values.ts';

const timed = ['google.protobuf.Timestamp', 'google.protobuf.Duration'];
/** Types that answer for themselves whatever they are asked. */
const answering = ['string', ...timed];
const numbers = ['int', 'uint', 'double'];

/** Types that know an operator, though not with that other value. */
const knowing: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['_+_', [...numbers, 'bytes', 'list']],
  ['_-_', numbers],
  ['_*_', numbers],
  ['_/_', numbers],
  ['_%_', ['int', 'uint']],
  ['-_', ['int', 'double', 'bool']],
  ...['_<_', '_<=_', '_>_', '_>=_'].map((name): [string, readonly string[]] => [name, [...numbers, 'bool', 'bytes']]),
]);
/** They say no more, whatever they are given. */
const silent: ReadonlySet<string> = new Set(['!_', '@in', 'contains', 'startsWith', 'endsWith', 'matches']);

export function noOverload(name: string, values: readonly CelValue[]): CelError {
  const types = values.map(typeOf);
  const [first = ''] = types;
  const known = knowing.get(name);
  if (silent.has(name) || known?.includes(first) === true || (known !== undefined && answering.includes(first)))
    return new CelError('no such overload');
  if (known !== undefined || name === 'size') return new CelError(`no such overload: ${name}`);
  return new CelError(`no such overload: ${name}(${types.join(', ')})`);
}
