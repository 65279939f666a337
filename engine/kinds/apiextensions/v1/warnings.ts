/** What clients are warned of. Mirrors pkg/registry/customresourcedefinition/strategy.go of apiextensions-apiserver. */
import type { CustomResourceDefinition } from '../../../api/apiextensions/v1/types.gen.ts';
import { unknownFormats } from '../../../apiextensions/schema/unknown-formats.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { schemasOf } from './schema-validation.ts';

/** Formats that nobody checks, and that were not there before. */
export function definitionWarnings({ spec }: CustomResourceDefinition, old: CustomResourceDefinition | undefined): readonly string[] {
  const formatsOf = (one: CustomResourceDefinition['spec'] | undefined): Set<string> =>
    new Set(schemasOf(one).flatMap((schema) => [...unknownFormats(schema)]));
  const before = formatsOf(old?.spec);
  return [...formatsOf(spec)].filter((format) => !before.has(format)).map((format) => `unrecognized format ${goQuote(format)}`);
}
