/** What users of a version that goes are told. Mirrors defaultDeprecationWarning of apiextensions-apiserver pkg/apiserver. */
import type { CustomResourceDefinitionSpec, CustomResourceDefinitionVersion } from '../api/apiextensions/v1/types.gen.ts';
import { byKubeVersion } from '../apimachinery/kube-version.ts';

export function deprecationOf(
  spec: CustomResourceDefinitionSpec,
  { name, deprecated, deprecationWarning }: CustomResourceDefinitionVersion,
): string | undefined {
  if (deprecated !== true) return undefined;
  if (deprecationWarning !== undefined) return deprecationWarning;
  const { group, names } = spec;
  const text = `${group}/${name} ${names.kind} is deprecated`;
  const newer = (spec.versions ?? []).filter((version) => version.served && version.deprecated !== true && byKubeVersion(version.name, name) < 0);
  const [best] = newer.map((version) => version.name).sort(byKubeVersion);
  return best === undefined ? text : `${text}; use ${group}/${best} ${names.kind}`;
}
