/** Expressions over the claims of a token and over the user that they make. Mirrors apiserver pkg/authentication/cel. */
import { type Compiled, compileExpression } from '../../../cel/admission.ts';
import { celOf, jsonOf } from '../../../cel/json.ts';
import { kubernetesFunctions } from '../../../cel/kubernetes.ts';
import type { CelEnvironment } from '../../../cel/program.ts';
import { bool, dyn, listOf, mapOf, string } from '../../../cel/types.ts';
import { CelError } from '../../../cel/values.ts';
import type { JsonObject, JsonValue } from '../../../base/json.ts';

export type ClaimExpressions = (expression: string) => Compiled;

const limits = { costMax: 1_000_000, stepsMax: 1_000_000 };
const claims: CelEnvironment = {
  variables: new Map([['claims', mapOf(string, dyn)]]),
  functions: kubernetesFunctions,
  isStrict: true,
  hasBindings: true,
};
const user: CelEnvironment = {
  variables: new Map([
    [
      'user',
      {
        kind: 'object',
        name: 'kubernetes.UserInfo',
        fields: new Map([
          ['username', string],
          ['uid', string],
          ['groups', listOf(string)],
          ['extra', mapOf(string, listOf(string))],
        ]),
      },
    ],
  ]),
  functions: kubernetesFunctions,
  isStrict: true,
  hasBindings: true,
};

export const compileClaims: ClaimExpressions = (expression) => compileExpression(expression, claims);
export const compileUser: ClaimExpressions = (expression) => compileExpression(expression, user, [bool]);

/** Throws an Error with upstream's words for what cannot be evaluated. */
export function evaluateOver(compiled: Compiled, expression: string, name: 'claims' | 'user', value: JsonObject): JsonValue | undefined {
  if ('fault' in compiled) throw new Error(compiled.fault);
  try {
    return jsonOf(compiled.evaluate(new Map([[name, celOf(value)]]), limits).value);
  } catch (error) {
    if (error instanceof CelError) throw new Error(`expression '${expression}' resulted in error: ${error.message}`);
    throw error;
  }
}
