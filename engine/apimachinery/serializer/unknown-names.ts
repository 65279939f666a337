/** The order in which unknown fields are told. */
import { pathOf, strictErrorsMax, type Walk } from './walk.ts';

/** Puts the unknown fields of one object, from `start` on, into the order of the document. */
export function nameUnknown(
  given: object,
  message: { readonly byName: ReadonlyMap<string, unknown> },
  path: Walk['path'],
  unknown: string[],
  start: number,
): void {
  // Only a hundred are named, so what is met beyond changes nothing and costs nothing.
  if (start >= strictErrorsMax) return;
  const nested = unknown.splice(start);
  const owner = pathOf({ path }, undefined, true);
  for (const key of Object.keys(given)) {
    if (unknown.length >= strictErrorsMax) return;
    const field = owner === '' ? key : `${owner}.${key}`;
    if (!message.byName.has(key)) unknown.push(field);
    else unknown.push(...nested.filter((other) => other.startsWith(field) && (other[field.length] === '.' || other[field.length] === '[')));
  }
}
