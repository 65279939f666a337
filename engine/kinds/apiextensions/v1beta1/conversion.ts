/**
 * Definitions of kinds between v1beta1, where what all versions have alike stands above them, and the stored v1, where it stands in
 * each. Mirrors pkg/apis/apiextensions/{v1,v1beta1}/{conversion,defaults}.go of apiextensions-apiserver.
 */
import type {
  CustomResourceConversion as StoredConversion,
  CustomResourceDefinition as Stored,
  CustomResourceDefinitionVersion as StoredVersion,
} from '../../../api/apiextensions/v1/types.gen.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../../../api/apiextensions/v1beta1/types.gen.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { edit, fill, fillZero } from '../../shared/defaulting.ts';

const specDefaults = Object.freeze({ preserveUnknownFields: true });

/** One version follows from the other way to name it. */
export function defaultDefinition(object: CustomResourceDefinition): CustomResourceDefinition {
  return edit(object, 'spec', (spec) => {
    const scoped = fill(fillZero(spec, { scope: 'Namespaced' }), specDefaults);
    const { version = '', versions = [] } = scoped;
    if (versions.length === 0) return version === '' ? scoped : { ...scoped, versions: [{ name: version, served: true, storage: true }] };
    return version === '' ? { ...scoped, version: versions[0]?.name ?? '' } : scoped;
  });
}

/** Members that stand above the versions or in each of them. */
type Common = Pick<CustomResourceDefinitionVersion, 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'>;

export function toV1(object: CustomResourceDefinition): Stored {
  return edit(object as unknown as Stored, 'spec', (given) => {
    const {
      version: _,
      validation,
      subresources,
      additionalPrinterColumns,
      selectableFields,
      versions,
      conversion,
      ...spec
    } = given as unknown as CustomResourceDefinitionSpec;
    const common: Common = present({ schema: validation, subresources, additionalPrinterColumns, selectableFields });
    return {
      ...spec,
      ...(versions ? { versions: versions.map((one) => storedVersion({ ...common, ...one })) } : undefined),
      ...(conversion ? { conversion: storedConversion(conversion) } : undefined),
    } as unknown as Stored['spec'];
  });
}

export function fromV1(object: Stored): CustomResourceDefinition {
  return edit(object as unknown as CustomResourceDefinition, 'spec', (given) => {
    const { versions: stored, conversion, ...spec } = given as unknown as Stored['spec'];
    const versions = (stored ?? []).map(ownVersion);
    const commons = versions.map(commonOf);
    const [common = {}] = commons;
    const isCommon = commons.every((one) => semanticEqual(one, common));
    const { schema, ...rest } = common;
    return {
      ...spec,
      version: versions[0]?.name ?? '',
      ...(isCommon ? { ...rest, ...present({ validation: schema }) } : undefined),
      versions: isCommon ? versions.map(bare) : versions,
      ...(conversion ? { conversion: ownConversion(conversion) } : undefined),
      // Nothing said is a yes here, and a no in the stored version.
      preserveUnknownFields: spec.preserveUnknownFields ?? false,
    } as unknown as CustomResourceDefinitionSpec;
  });
}

function commonOf({ schema, subresources, additionalPrinterColumns, selectableFields }: CustomResourceDefinitionVersion): Common {
  return present({ schema, subresources, additionalPrinterColumns, selectableFields });
}

function bare(version: CustomResourceDefinitionVersion): CustomResourceDefinitionVersion {
  const { schema: _schema, subresources: _subresources, additionalPrinterColumns: _columns, selectableFields: _fields, ...rest } = version;
  return rest;
}

function storedVersion({ additionalPrinterColumns: columns, ...version }: CustomResourceDefinitionVersion): StoredVersion {
  const renamed = columns?.map(({ JSONPath, ...column }) => ({ ...column, jsonPath: JSONPath }));
  return { ...version, ...present({ additionalPrinterColumns: renamed }) } as unknown as StoredVersion;
}

function ownVersion({ additionalPrinterColumns: columns, ...version }: StoredVersion): CustomResourceDefinitionVersion {
  const renamed: readonly CustomResourceColumnDefinition[] | undefined = columns?.map(({ jsonPath, ...column }) => ({
    ...column,
    JSONPath: jsonPath,
  }));
  return { ...version, ...present({ additionalPrinterColumns: renamed }) } as unknown as CustomResourceDefinitionVersion;
}

function storedConversion({ strategy, webhookClientConfig, conversionReviewVersions }: CustomResourceConversion): StoredConversion {
  // Versions of reviews came later: who does not convert by a webhook any more cannot take back those that were filled in.
  if (webhookClientConfig === undefined && strategy !== 'Webhook') return { strategy };
  const reviews = strategy === 'Webhook' ? (conversionReviewVersions ?? ['v1beta1']) : undefined;
  const webhook = present({ clientConfig: webhookClientConfig, conversionReviewVersions: reviews });
  return { strategy, webhook } as unknown as StoredConversion;
}

function ownConversion({ strategy, webhook }: StoredConversion): CustomResourceConversion {
  const { clientConfig, conversionReviewVersions } = webhook ?? {};
  return { strategy, ...present({ webhookClientConfig: clientConfig, conversionReviewVersions }) } as unknown as CustomResourceConversion;
}

/** Without members that are absent. */
function present<T extends object>(members: { readonly [key in keyof T]: T[key] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null)) as T;
}
