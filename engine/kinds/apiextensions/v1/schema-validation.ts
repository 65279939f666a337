/**
 * Schemas and selectable fields of definitions. A definition that broke a rule before may go on breaking it. Mirrors the options of
 * pkg/apis/apiextensions/validation of apiextensions-apiserver.
 */
import type { CustomResourceDefinitionSpec, JSONSchemaProps } from '../../../api/apiextensions/v1/types.gen.ts';
import { createSchemaRegistry } from '../../../api/schemas.ts';
import {
  type DefinitionRules,
  hasUnprunedDefaults,
  isLooseSet,
  isStructural,
  isUnkeyed,
  isUnknownType,
  someSchema,
  validateSchema,
  validateSelectableFields,
} from '../../../apiextensions/schema/definition-validation.ts';
import { ruleJudgeOfDefaults } from '../../../apiextensions/rules/default-rules.ts';
import { DefinitionRuleJudge } from '../../../apiextensions/rules/definition-rules.ts';
import { MetaReader } from '../../../apiextensions/schema/object-meta.ts';
import { plainSchemaFaults } from '../../../apiextensions/schema/plain-rules.ts';
import { unreadable } from '../../../apiextensions/schema/structural-rules.ts';
import { structuralOf } from '../../../apiextensions/schema/structural.ts';
import { type FieldPath, invalid } from '../../../apimachinery/field-errors.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';
import type { Shared } from './lifted.ts';

export interface SchemaContext extends DefinitionRules {
  readonly requiresSchemas: boolean;
  /** Versions that had too many selectable fields and still have the same. */
  readonly crowded: ReadonlySet<string>;
}

/** What a definition must keep to; `old` is what is stored. */
export function schemaContext(spec: Partial<CustomResourceDefinitionSpec>, old: Partial<CustomResourceDefinitionSpec> | undefined): SchemaContext {
  const before = schemasOf(old);
  const never = (isSuch: (one: JSONSchemaProps) => boolean): boolean => !before.some((schema) => someSchema(schema, isSuch));
  const isPreserving = spec.preserveUnknownFields === true;
  return {
    requiresSchemas: (old?.versions ?? []).every((version) => Boolean(version.schema?.openAPIV3Schema)),
    requiresStructural: !isPreserving || before.every((schema) => isStructural(schema, specPath)),
    requiresKnownTypes: never(isUnknownType),
    requiresAtomicSets: never(isLooseSet),
    requiresKeyedItems: never((schema) => isUnkeyed(schema, specPath)),
    defaults: {
      reader: new MetaReader(createSchemaRegistry()),
      ruleJudge: ruleJudgeOfDefaults,
      requiresPruned: !before.some((schema) => hasUnprunedDefaults(schema, specPath)),
    },
    ruleJudge: (schema) => new DefinitionRuleJudge({ mayCost: before.some((one) => semanticEqual(one, schema)) }),
    crowded: crowdedOf(spec, old),
  };
}

export function schemasOf(spec: Partial<CustomResourceDefinitionSpec> | undefined): readonly JSONSchemaProps[] {
  return (spec?.versions ?? []).flatMap((version) => (version.schema?.openAPIV3Schema ? [version.schema.openAPIV3Schema] : []));
}

function crowdedOf(spec: Partial<CustomResourceDefinitionSpec>, old: Partial<CustomResourceDefinitionSpec> | undefined): ReadonlySet<string> {
  const many = (old?.versions ?? []).filter(({ selectableFields }) => (selectableFields?.length ?? 0) > 8);
  const now = new Map((spec.versions ?? []).map(({ name, selectableFields }) => [name, selectableFields]));
  const same = many.filter(({ name, selectableFields }) => semanticEqual(now.get(name), selectableFields));
  return new Set(same.map(({ name }) => name));
}

/** Without a context it need not be structural. */
export function validateVersionSchema(
  { schema }: Shared,
  path: FieldPath,
  hasStatus: boolean,
  context: SchemaContext | undefined,
  out: Faults,
): void {
  const props = schema?.openAPIV3Schema;
  if (props) out.push(...(context === undefined ? plainSchemaFaults(props, path, hasStatus) : validateSchema(props, path, hasStatus, context)));
}

/** `isAbove`: the fields stand above the versions, which all have them. */
export function validateSelectable({ schema, selectableFields }: Shared, path: FieldPath, isAbove: boolean, isCrowded: boolean, out: Faults): void {
  if (selectableFields.length === 0) return;
  const at = path.child('selectableFields');
  const props = schema?.openAPIV3Schema;
  if (!props) {
    const why = isAbove
      ? 'may only be set when validations.schema is included'
      : 'may only be set when `version.schema.openAPIV3Schema` is not included';
    return void out.push(invalid(at, '', why));
  }
  const unread = unreadable(props);
  if (unread !== undefined) return void out.push(invalid(path.child('schema.openAPIV3Schema'), '', unread));
  out.push(...validateSelectableFields(selectableFields, structuralOf(props), at, isCrowded));
}
