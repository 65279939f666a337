import { expect, it } from 'vitest';
import { readTypes } from '../../host/type-files.ts';
import { ParameterWords, parametersIn } from './parameter-words.ts';

const source = `export interface CoreV1ApiListNamespacedThingRequest {
    /**
     * Who \\&#39;asks\\&#39; &#x60;a&#x3D;1&#x60;.
     * Defaults to: undefined
     * @type string
     * @memberof CoreV1ApilistNamespacedThing
     */
    _continue?: string;
    /**
     *
     * @type any
     * @memberof CoreV1ApilistNamespacedThing
     */
    body: any;
    /**
     * One \\&quot;event\\&quot;  is sent. It is one of: - this.  Defaults to it.
     * @type string
     * @memberof CoreV1ApilistNamespacedThing
     */
    kind: string;
    /**
     * Forms: - one - two:    a   - b     c. - d  Last.
     * @type string
     * @memberof CoreV1ApilistNamespacedThing
     */
    form: string;
}
export interface CoreV1ApiListNamespacedThingMoreRequest {
    /**
     * Of another.
     * @type string
     * @memberof CoreV1ApilistNamespacedThingMore
     */
    other: string;
}
`;

it('has the comments before parameters of a request, as they were before they stood on one line', () => {
  expect([...parametersIn(source, 'ListNamespacedThing')]).toEqual([
    ['continue', "Who 'asks' `a=1`."],
    ['kind', 'One "event"  is sent. It is one of: - this.\n\nDefaults to it.'],
    ['form', 'Forms: - one - two:\n\n  a\n  - b\n    c.\n- d\n\nLast.'],
  ]);
  expect(parametersIn(source, 'ListNamespacedNothing')).toEqual(new Map());
});

it('reads the package when somebody first asks, once for each request', () => {
  let reads = 0;
  const words = new ParameterWords((path) => {
    reads++;
    return readTypes(path);
  });
  expect(reads).toBe(0);
  expect(words.of('ListNamespacedPod', 'watch')).toMatch(/^Watch for changes to the described resources/);
  expect(words.of('ListNamespacedPod', 'labelSelector')).toMatch(/list of returned objects by their labels/);
  expect(words.of('PatchNamespacedPod', 'force')).toContain('"force" Apply');
  expect(words.of('ListNamespacedPod', 'nothing')).toBeUndefined();
  expect(reads).toBe(2);
  expect(new ParameterWords(() => undefined).of('ListNamespacedPod', 'watch')).toBeUndefined();
});
