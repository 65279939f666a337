/** Rules of a schema as programs. Mirrors pkg/apiserver/schema/cel/compilation.go of apiextensions-apiserver. */
import type { ValidationRule } from '../../api/apiextensions/v1/types.gen.ts';
import { admissionFunctions } from '../../cel/admission.ts';
import { type CelEnvironment, type CelProgram, compile } from '../../cel/program.ts';
import { type CelType, optionalOf } from '../../cel/types.ts';
import { followPath } from '../schema/field-path.ts';
import type { Structural } from '../schema/structural.ts';

export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Absent where the rule is empty, or cannot be compiled. */
  readonly program?: CelProgram;
  /** Why it cannot be compiled. */
  readonly fault?: string;
  readonly usesOldSelf: boolean;
  readonly message?: CelProgram;
  readonly messageFault?: string;
  /** Where a violation is told, below the value that is judged; empty for that value. */
  readonly fieldPath: string;
}

/** Upstream makes up another name for each program. */
export const selfName = 'selfType1';

/** `type`: of `self`. */
export function compileRules(s: Structural, type: CelType): readonly CompiledRule[] {
  const plain = environmentOf(type, type);
  const optional = environmentOf(type, optionalOf(type));
  return s.validations.map((rule) => compileRule(rule, s, rule.optionalOldSelf === true ? optional : plain));
}

function environmentOf(self: CelType, oldSelf: CelType): CelEnvironment {
  const variables = new Map([
    ['self', self],
    ['oldSelf', oldSelf],
  ]);
  return { variables, functions: admissionFunctions, isStrict: true, sizes: ([, ...path]) => sizeAlong(self, path) };
}

/** How large what stands at a path below `self` is at most; the first step of it is never looked at. */
function sizeAlong(self: CelType, path: readonly string[]): number | undefined {
  let type: CelType | undefined = self;
  for (const step of path) {
    if (step === '@items' || step === '@values') type = type.kind === 'list' ? type.element : type.kind === 'map' ? type.value : undefined;
    else if (step === '@keys') type = type.kind === 'map' ? type.key : undefined;
    else type = type.kind === 'object' ? type.fields.get(step) : undefined;
    if (type === undefined) return undefined;
  }
  return type.sizeMax ?? 0;
}

function compileRule(rule: ValidationRule, s: Structural, environment: CelEnvironment): CompiledRule {
  const nothing = { rule, usesOldSelf: false, fieldPath: '' };
  if ((rule.rule ?? '').trim() === '') return nothing;
  const program = compile(rule.rule, environment);
  if ('fault' in program)
    return { ...nothing, fault: `${program.isInstantiation === true ? 'program instantiation' : 'compilation'} failed: ${program.fault}` };
  if (program.type.kind !== 'bool') return { ...nothing, fault: 'cel expression must evaluate to a bool' };
  const found = rule.fieldPath ? followPath(rule.fieldPath, s, true) : '';
  return {
    ...nothing,
    program,
    usesOldSelf: program.names.has('oldSelf'),
    ...(rule.messageExpression && messageOf(rule.messageExpression, environment)),
    fieldPath: typeof found === 'string' ? '' : found.text,
  };
}

function messageOf(expression: string, environment: CelEnvironment): Pick<CompiledRule, 'message' | 'messageFault'> {
  const program = compile(expression, environment);
  if ('fault' in program)
    return { messageFault: `messageExpression ${program.isInstantiation === true ? 'instantiation' : 'compilation'} failed: ${program.fault}` };
  return program.type.kind === 'string' ? { message: program } : { messageFault: 'messageExpression must evaluate to a string' };
}
