/**
 * Definitions in the form that upstream judges: what all versions have alike stands above them, and its paths say so. Mirrors
 * pkg/apis/apiextensions/v1/conversion.go of apiextensions-apiserver.
 */
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  SelectableField,
} from '../../../api/apiextensions/v1/types.gen.ts';
import { internalForm } from '../../../apiextensions/schema/internal-form.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';

/** What stands above the versions, or in each of them. */
export interface Shared {
  readonly schema?: CustomResourceValidation | undefined;
  readonly subresources?: CustomResourceSubresources | undefined;
  readonly columns: readonly CustomResourceColumnDefinition[];
  readonly selectableFields: readonly SelectableField[];
}

export interface LiftedVersion extends Shared {
  readonly version: CustomResourceDefinitionVersion;
}

export interface Lifted extends Shared {
  readonly versions: readonly LiftedVersion[];
}

const nothing: Shared = { columns: [], selectableFields: [] };

function sharedOf({ schema, subresources, additionalPrinterColumns, selectableFields }: CustomResourceDefinitionVersion): Shared {
  return {
    schema: schema ?? undefined,
    subresources: subresources ?? undefined,
    columns: additionalPrinterColumns ?? [],
    selectableFields: selectableFields ?? [],
  };
}

export function lift({ versions }: Partial<CustomResourceDefinitionSpec>): Lifted {
  const each = (versions ?? []).map((version) => ({ version, ...sharedOf(version) }));
  const [first] = each;
  if (first === undefined) return { ...nothing, versions: [] };
  const isAlike = (member: keyof Shared): boolean => each.every((one) => semanticEqual(one[member], first[member]));
  const alike = {
    schema: isAlike('schema'),
    subresources: isAlike('subresources'),
    columns: isAlike('columns'),
    selectableFields: isAlike('selectableFields'),
  };
  const chosen = (from: Shared, isChosen: (member: keyof Shared) => boolean): Shared => ({
    schema: isChosen('schema') ? from.schema : undefined,
    subresources: isChosen('subresources') ? from.subresources : undefined,
    columns: isChosen('columns') ? from.columns : [],
    selectableFields: isChosen('selectableFields') ? from.selectableFields : [],
  });
  return {
    ...chosen(first, (member) => alike[member]),
    versions: each.map((one) => ({ version: one.version, ...chosen(one, (member) => !alike[member]) })),
  };
}

/** As upstream's internal type prints in messages: members without JSON names, and nothing of what is lifted. */
export function shownVersions(versions: readonly LiftedVersion[]): readonly object[] {
  return versions.map(({ version, schema, subresources, columns, selectableFields }) => ({
    Name: version.name ?? '',
    Served: version.served ?? false,
    Storage: version.storage ?? false,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: schema ? { OpenAPIV3Schema: schema.openAPIV3Schema ? internalForm(schema.openAPIV3Schema) : null } : null,
    Subresources: subresources ? shownSubresources(subresources) : null,
    AdditionalPrinterColumns: columns.length === 0 ? null : columns.map(shownColumn),
    SelectableFields: selectableFields.length === 0 ? null : selectableFields.map(({ jsonPath }) => ({ JSONPath: jsonPath })),
  }));
}

function shownSubresources({ status, scale }: CustomResourceSubresources): object {
  const paths = scale && {
    SpecReplicasPath: scale.specReplicasPath,
    StatusReplicasPath: scale.statusReplicasPath,
    LabelSelectorPath: scale.labelSelectorPath ?? null,
  };
  return { Status: status ? {} : null, Scale: paths ?? null };
}

function shownColumn({ name, type, format, description, priority, jsonPath }: CustomResourceColumnDefinition): object {
  return { Name: name, Type: type, Format: format ?? '', Description: description ?? '', Priority: priority ?? 0, JSONPath: jsonPath };
}
