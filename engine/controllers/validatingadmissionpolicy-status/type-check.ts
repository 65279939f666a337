/**
 * What is wrong with the expressions of a policy when they are held against the kinds that it matches. Mirrors apiserver
 * pkg/admission/plugin/policy/validating/typechecking.go; upstream has the time in the names of types, where a number stands here.
 */
import type { ExpressionWarning, ValidatingAdmissionPolicy } from '../../api/admissionregistration/v1/types.gen.ts';
import { parseGroupVersion } from '../../apimachinery/object.ts';
import { environmentOf } from '../../cel/admission.ts';
import { compile } from '../../cel/program.ts';
import { type CelType, dyn } from '../../cel/types.ts';
import type { ServedTypes } from '../../controller-runtime/controller.ts';

/** Of one rule. */
const kindsMax = 10;
/** Stands behind a kind in the name of its type. */
const typeMark = '100000000';

interface Matched {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

type Policy = ValidatingAdmissionPolicy;

export function warningsOf({ spec }: Policy, served: ServedTypes): readonly ExpressionWarning[] {
  const checked = matchedKinds(spec, served).flatMap((matched) => {
    const objectType = typeOf(matched, served);
    return objectType === undefined ? [] : [new KindCheck(spec, matched, objectType, served)];
  });
  const found: ExpressionWarning[] = [];
  const look = (fieldRef: string, expression: string): void => {
    const warning = checked.flatMap((one) => one.faultOf(expression)).join('\n');
    if (warning !== '') found.push({ fieldRef, warning });
  };
  for (const [i, { expression, messageExpression }] of (spec?.validations ?? []).entries()) {
    look(`spec.validations[${i}].expression`, expression);
    if (messageExpression) look(`spec.validations[${i}].messageExpression`, messageExpression);
  }
  return found;
}

/** The expressions of one policy, held against one kind. */
class KindCheck {
  readonly #matched: Matched;
  readonly #environment: ReturnType<typeof environmentOf>;

  constructor(spec: Policy['spec'], matched: Matched, objectType: CelType, served: ServedTypes) {
    this.#matched = matched;
    const params = spec?.paramKind ?? undefined;
    const paramsType = params && paramsTypeOf(params, served);
    const declared = { params: params !== undefined, authorizer: true, requestResource: false, objectType, paramsType };
    const variables = new Map<string, CelType>();
    for (const { name, expression } of spec?.variables ?? []) {
      const program = compile(expression, environmentOf({ ...declared, variables: new Map(variables) }));
      variables.set(name, 'fault' in program ? dyn : program.type);
    }
    this.#environment = environmentOf({ ...declared, variables });
  }

  faultOf(expression: string): readonly string[] {
    const program = compile(expression, this.#environment);
    // What cannot be converted is told when the policy is written.
    if (!('fault' in program) || program.isInstantiation === true) return [];
    const { group, version, kind } = this.#matched;
    return [`${group}/${version}, Kind=${kind}: ${program.fault}\n`];
  }
}

function typeOf({ group, version, kind }: Matched, served: ServedTypes): CelType | undefined {
  return served.typeOf(group, version, kind, kind + typeMark);
}

function paramsTypeOf(
  { apiVersion = '', kind = '' }: NonNullable<NonNullable<Policy['spec']>['paramKind']>,
  served: ServedTypes,
): CelType | undefined {
  const parsed = parseGroupVersion(apiVersion);
  return parsed && typeOf({ ...parsed, kind }, served);
}

/** In the order of group, version and kind; none of a rule that has a star in its groups or versions. */
function matchedKinds(spec: Policy['spec'], served: ServedTypes): readonly Matched[] {
  const found = new Map<string, Matched>();
  for (const rule of spec?.matchConstraints?.resourceRules ?? []) {
    const kinds = kindsOfRule(rule, served);
    for (const one of kinds) found.set(`${one.group}/${one.version}/${one.kind}`, one);
    // Upstream leaves off altogether.
    if (kinds.length === kindsMax) break;
  }
  return [...found.values()].toSorted((a, b) => order(a.group, b.group) || order(a.version, b.version) || order(a.kind, b.kind));
}

type Rule = NonNullable<NonNullable<NonNullable<Policy['spec']>['matchConstraints']>['resourceRules']>[number];

function kindsOfRule({ apiGroups, apiVersions, resources }: Rule, served: ServedTypes): readonly Matched[] {
  const plain = (list: readonly string[] | undefined): readonly string[] =>
    list?.some((one) => one.includes('*')) === true ? [] : (list ?? []).toSorted(order);
  const found: Matched[] = [];
  for (const group of plain(apiGroups))
    for (const version of plain(apiVersions))
      for (const resource of (resources ?? []).filter((one) => !/[*/]/.test(one)).toSorted(order)) {
        for (const { group: own, kind } of served.kindsOf(group, version, resource)) {
          found.push({ group: own, version, kind });
          if (found.length === kindsMax) return found;
        }
      }
  return found;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
