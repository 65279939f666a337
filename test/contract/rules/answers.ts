/** What we answer to a case, in the form of the recorded answers. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { errorText, type FieldErrorList } from '../../../engine/apimachinery/field-errors.ts';
import { decodeJson } from '../../../engine/apimachinery/serializer/json.ts';
import { RuleValidator } from '../../../engine/apiextensions/rules/validator.ts';
import { structuralOf } from '../../../engine/apiextensions/schema/structural.ts';
import { answerDefinition } from '../schemas/definition-answers.ts';
import type { RuleCase } from './cases.ts';

export interface RuleFacts {
  readonly faults: readonly string[];
  readonly values: readonly { readonly faults: readonly string[]; readonly warnings: readonly string[]; readonly left: number }[];
}

export function readRuleFacts(): readonly RuleFacts[] {
  const text = gunzipSync(readFileSync(new URL('facts.jsonl.gz', import.meta.url))).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RuleFacts);
}

const texts = (faults: FieldErrorList): readonly string[] => faults.map(errorText);

export function answerRules(given: RuleCase): RuleFacts {
  const { name, schema, values } = decodeJson(JSON.stringify(given)).value as unknown as RuleCase;
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }];
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.a.example.com' },
    spec: { group: 'a.example.com', scope: 'Namespaced', names, versions },
  };
  const validator = new RuleValidator(structuralOf(schema), true);
  return {
    faults: answerDefinition({ name, new: definition as never }),
    values: values.map(({ value, old }) => {
      const found = validator.validate(value, { old, isRatcheting: old !== undefined });
      return { faults: texts(found.faults), warnings: texts(found.warnings), left: found.left };
    }),
  };
}
