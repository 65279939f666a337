/**
 * What expressions of admission are compiled with: `object`, `oldObject`, `request`, `namespaceObject`, `params`, `variables`, `authorizer`.
 * Mirrors apiserver pkg/admission/plugin/cel/compile.go.
 */
import { functionTable, type FunctionTable } from './functions.ts';
import { kubernetesFunctions } from './kubernetes.ts';
import { authorizerFunctions, authorizerType, requestResourceType } from './libraries/authorizer.ts';
import { patchFunctions, patchTypes } from './patch-types.ts';
import { type CelEnvironment, type CelProgram, compile } from './program.ts';
import { bool, type CelType, dyn, int, listOf, mapOf, string, timestamp, typeText } from './types.ts';

const object = (name: string, fields: { readonly [name: string]: CelType }): CelType => ({
  kind: 'object',
  name: `kubernetes.${name}`,
  fields: new Map(Object.entries(fields)),
});
const texts = listOf(string);
const textMap = mapOf(string, string);
const gvk = object('GroupVersionKind', { group: string, version: string, kind: string });
const gvr = object('GroupVersionResource', { group: string, version: string, resource: string });

const requestType = object('AdmissionRequest', {
  kind: gvk,
  resource: gvr,
  subResource: string,
  requestKind: gvk,
  requestResource: gvr,
  requestSubResource: string,
  name: string,
  namespace: string,
  operation: string,
  userInfo: object('UserInfo', { username: string, uid: string, groups: texts, extra: mapOf(string, texts) }),
  dryRun: bool,
  options: dyn,
});

const namespaceType = object('Namespace', {
  metadata: object('NamespaceMetadata', {
    ...{ name: string, generateName: string, namespace: string, labels: textMap, annotations: textMap, UID: string },
    ...{ creationTimestamp: timestamp, deletionGracePeriodSeconds: int, deletionTimestamp: timestamp, generation: int },
    ...{ resourceVersion: string, finalizers: texts },
  }),
  spec: object('NamespaceSpec', { finalizers: texts }),
  status: object('NamespaceStatus', {
    conditions: listOf(
      object('NamespaceCondition', { status: string, type: string, lastTransitionTime: timestamp, message: string, reason: string }),
    ),
    phase: string,
  }),
});

export interface Declarations {
  readonly params: boolean;
  readonly authorizer: boolean;
  /** Whether `authorizer.requestResource` is there, which comes with the authorizer; true when absent. */
  readonly requestResource?: boolean;
  /** Whether patches may be written down. */
  readonly patches?: boolean;
  /** Of `object` and `oldObject`, and of `params`, where they are known; anything when absent. */
  readonly objectType?: CelType | undefined;
  readonly paramsType?: CelType | undefined;
  /** Types of the variables of a policy that stand before the expression. */
  readonly variables?: ReadonlyMap<string, CelType>;
}

const authorizerTable = functionTable(authorizerFunctions);
export const admissionFunctions: FunctionTable = new Map([
  ...kubernetesFunctions,
  ...[...authorizerTable].map(([name, overloads]) => [name, [...(kubernetesFunctions.get(name) ?? []), ...overloads]] as const),
]);

const patchingFunctions: FunctionTable = new Map([...admissionFunctions, ...functionTable(patchFunctions)]);

export function environmentOf(
  { params, authorizer, variables, patches = false, requestResource = true, objectType = dyn, paramsType = dyn }: Declarations,
  functions: FunctionTable = patches ? patchingFunctions : admissionFunctions,
): CelEnvironment {
  const declared = new Map<string, CelType>([
    ['object', objectType],
    ['oldObject', objectType],
    ['namespaceObject', namespaceType],
    ['request', requestType],
  ]);
  if (params) declared.set('params', paramsType);
  if (authorizer) declared.set('authorizer', authorizerType);
  if (authorizer && requestResource) declared.set('authorizer.requestResource', requestResourceType);
  if (variables !== undefined) declared.set('variables', { kind: 'object', name: 'kubernetes.variables', fields: variables });
  return { variables: declared, functions, isStrict: true, ...(patches && { structs: patchTypes }) };
}

/** `fault` is in upstream's words; `isInternal` where it is a constant that cannot be converted. */
export type Compiled = CelProgram | { readonly fault: string; readonly isInternal?: boolean };

/** `wanted`: types it may have; any when absent. */
export function compileExpression(expression: string, environment: CelEnvironment, wanted?: readonly CelType[]): Compiled {
  const program = compile(expression, environment);
  if ('fault' in program)
    return program.isInstantiation === true
      ? { fault: `program instantiation failed: ${program.fault}`, isInternal: true }
      : { fault: `compilation failed: ${program.fault}` };
  const found = declaredText(program.type);
  const names = wanted?.map(declaredText) ?? [found];
  if (names.includes(found)) return program;
  const [only = ''] = names;
  return { fault: `must evaluate to ${names.length === 1 ? only : `one of [${names.join(' ')}]`} but got ${found}` };
}

/** As Go prints types, and checkers do not. */
function declaredText(type: CelType): string {
  const text = typeText(type);
  return declaredNames.get(text) ?? text;
}

const declaredNames: ReadonlyMap<string, string> = new Map([
  ['null', 'null_type'],
  ['timestamp', 'google.protobuf.Timestamp'],
  ['duration', 'google.protobuf.Duration'],
]);
