/** Paths of printer columns over one object. */
import type { JsonValue } from '../../../engine/base/json.ts';
import type { Case } from './cases.ts';

const spec: JsonValue = {
  text: 'a b',
  whole: 3,
  fraction: 2.5,
  small: 0.000001,
  big: 9_007_199_254_740_993n,
  yes: true,
  none: null,
  list: [1, 'b', { c: 'd' }],
  objects: [
    { type: 'Ready', status: 'True', n: 1 },
    { type: 'Other', status: 'False', n: 2.5 },
  ],
  object: { b: '<&>', a: [1] },
  'dotted.name': 'dots',
  date: '2020-01-01T00:00:00Z',
  badDate: 'yesterday',
  emptyDate: '',
  deep: { deep: { text: 'deepest' } },
};

const paths = `
.spec.text
.spec.whole
.spec.fraction
.spec.small
.spec.big
.spec.yes
.spec.none
.spec.list
.spec.object
.spec.missing
.spec.text.more
.spec.list[0]
.spec.list[-1]
.spec.list[-1:]
.spec.list[5]
.spec.list[0:2]
.spec.list[::2]
.spec.list[*]
.spec.list[2].c
.spec.objects[*].type
.spec.objects[?(@.type=="Ready")].status
.spec.objects[?(@.type=='Other')].status
.spec.objects[?(@.type!="Ready")].status
.spec.objects[?(@.n>1)].status
.spec.objects[?(@.n>=2.5)].status
.spec.objects[?(@.n<2)].status
.spec.objects[?(@.missing)].status
.spec.objects[?(@.status)].type
.spec.objects[?(@.type=="No)pe")].status
.spec.text[?(@.a=="b")]
.spec.text[0]
.spec['text']
.spec['text','whole']
.spec.dotted\\.name
.spec['dotted.name']
..c
.spec..text
.spec.deep..text
.spec.objects..status
.metadata.name
.metadata.creationTimestamp
.spec.date
.spec.badDate
.spec.emptyDate
.
.spec.
spec.text
$.spec.text
@.spec.text
.spec.list[a]
.spec.list[
.spec.list[1
.spec["text"]
.spec.text}{.spec.whole
.spec.text} and {.spec.whole
.spec.objects[?(@.type=="Ready")]
.spec.objects[?(@.type==Ready)].status
.spec.objects[?(@.type=="Ready"
....
.spec.text "lit"
.spec.yes == true
.spec.list[0,2]
.spec.list[0,1:2]
.spec.list[3:1]
.spec.list[:1]
.spec.list[1:]
.spec.list[0:0]
.spec.list[::0]
.spec.list[-2:-1]
'text'
"a\\"b"
1.5
true
range
end
{range .spec.list[*]}
.spec.text.
..
.spec.objects[?(@.n==1)].type
.spec.objects[?(@.n==1.0)].type
.spec.objects[?(@.type>"P")].type
.spec.objects[?(@.type=="Ready")].status[0]
.spec.object.a[0]
`
  .trim()
  .split('\n');

export function* columnCases(): Iterable<Case> {
  for (const jsonPath of paths) {
    yield {
      name: `column ${jsonPath}`,
      schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      value: { apiVersion: 'a.b/v1', kind: 'C', metadata: { name: 'x' }, spec },
      columns: ['string', 'integer', 'number', 'boolean'].map((type) => ({ name: type, type, jsonPath })),
    };
  }
  for (const date of ['badDate', 'emptyDate', 'missing', 'whole'])
    yield {
      name: `date ${date}`,
      schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      value: { apiVersion: 'a.b/v1', kind: 'C', metadata: { name: 'x' }, spec },
      columns: [{ name: 'Date', type: 'date', jsonPath: `.spec.${date}` }],
    };
}
