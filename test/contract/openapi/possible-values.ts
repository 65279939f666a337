/** Of which fields a document of OpenAPI lists possible values. */
interface Schema {
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly properties?: { readonly [name: string]: Schema };
}

/** `DEFINITION FIELD` (`FIELD[]` of elements, `FIELD{}` of a map's values) → the values, as they stand there. */
export function possibleValues({ definitions }: { readonly definitions: { readonly [name: string]: Schema } }): {
  readonly [field: string]: readonly string[];
} {
  const found: [string, readonly string[]][] = [];
  const look = (path: string, { enum: values, items, additionalProperties: inner }: Schema): void => {
    if (values !== undefined) found.push([path, values]);
    if (items !== undefined) look(`${path}[]`, items);
    if (typeof inner === 'object') look(`${path}{}`, inner);
  };
  for (const [name, { properties = {} }] of Object.entries(definitions))
    for (const [field, schema] of Object.entries(properties)) look(`${name} ${field}`, schema);
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}
