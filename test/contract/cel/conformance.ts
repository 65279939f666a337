/** What a case of CEL's conformance data asks, and what Kubernetes says to it. */
import { admissionFunctions } from '../../../engine/cel/admission.ts';
import { kubernetesFunctions } from '../../../engine/cel/kubernetes.ts';
import { noLimits } from '../../../engine/cel/evaluate.ts';
import { valueText } from '../../../engine/cel/print.ts';
import { compile, type CelProgram } from '../../../engine/cel/program.ts';
import { type CelType, duration, listOf, mapOf, optionalOf, timestamp, typeText } from '../../../engine/cel/types.ts';
import { CelError, type CelValue } from '../../../engine/cel/values.ts';

export interface Said {
  /** `file/section/case`. */
  readonly name: string;
  readonly expression: string;
  readonly variables?: { readonly [name: string]: { readonly type: string; readonly value?: string } };
  /** As cel-go writes types. */
  readonly type?: string;
  readonly value?: string;
  readonly fault?: string;
  readonly error?: string;
  /** Whether that is what the data asks for. */
  readonly meets: boolean;
}

export interface ConformanceFacts {
  readonly source: string;
  /** Names of cases that say nothing about Kubernetes, by why. */
  readonly skipped: { readonly [why: string]: readonly string[] };
  readonly cases: readonly Said[];
}

/** What our CEL says to the same. */
export function answer({ expression, variables = {} }: Said): Pick<Said, 'type' | 'value' | 'fault' | 'error'> {
  // What has a value and no type is not declared.
  const entries = Object.entries(variables).filter(([, { type }]) => type !== '');
  const types = new Map(entries.map(([name, { type }]) => [name, readType(type)] as const));
  const program = compile(expression, { variables: types, functions: admissionFunctions, isStrict: true, hasBindings: true });
  if ('fault' in program) return program.isInstantiation ? { error: program.fault } : { fault: program.fault };
  const type = declaredText(program.type);
  const values = new Map(entries.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, readValue(value)] as const])));
  try {
    return { type, value: valueText(program.evaluate(values, noLimits).value) };
  } catch (error) {
    if (error instanceof CelError) return { type, error: error.message };
    throw error;
  }
}

function readValue(text: string): CelValue {
  const program: CelProgram | { readonly fault: string } = compile(text, { variables: new Map(), functions: kubernetesFunctions });
  if ('fault' in program) throw new Error(`${text}: ${program.fault}`);
  return program.evaluate(new Map(), noLimits).value;
}

const named: { readonly [name: string]: CelType } = {
  ...Object.fromEntries((['bool', 'int', 'uint', 'double', 'string', 'bytes', 'dyn', 'any', 'type'] as const).map((kind) => [kind, { kind }])),
  null_type: { kind: 'null' },
  'google.protobuf.Timestamp': timestamp,
  'google.protobuf.Duration': duration,
};

/** Of the text that cel-go writes. */
function readType(text: string): CelType {
  const open = text.indexOf('(');
  if (open < 0) return named[text] ?? { kind: 'opaque', name: text };
  const inner = text.slice(open + 1, -1);
  const parts = splitTop(inner).map(readType) as [CelType, CelType];
  switch (text.slice(0, open)) {
    case 'list':
      return listOf(parts[0]);
    case 'map':
      return mapOf(...parts);
    case 'optional_type':
      return optionalOf(parts[0]);
    default:
      return { kind: 'type' };
  }
}

function splitTop(text: string): readonly string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const letter of text) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

/** As cel-go writes it. */
function declaredText(type: CelType): string {
  return typeText(type)
    .replace(/\bnull\b/g, 'null_type')
    .replace(/(?<![\w.])timestamp\b/g, 'google.protobuf.Timestamp')
    .replace(/(?<![\w.])duration\b/g, 'google.protobuf.Duration');
}
