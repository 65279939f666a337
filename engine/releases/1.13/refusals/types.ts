/** Go types of which release 1.13 shows values when it refuses them. Mirrors its internal packages pkg/apis/… (types.go). */
import type { GoTypes } from '../../../apimachinery/go-syntax.ts';

export const goTypes: GoTypes = {
  'apps.DeploymentStrategy': ['Type apps.DeploymentStrategyType', 'RollingUpdate *apps.RollingUpdateDeployment'],
  'apps.StatefulSetUpdateStrategy': ['Type apps.StatefulSetUpdateStrategyType', 'RollingUpdate *apps.RollingUpdateStatefulSetStrategy'],
  'apiextensions.CustomResourceDefinitionVersion': [
    'Name string',
    'Served bool',
    'Storage bool',
    'Schema *apiextensions.CustomResourceValidation',
    'Subresources *apiextensions.CustomResourceSubresources',
    'AdditionalPrinterColumns []apiextensions.CustomResourceColumnDefinition',
  ],
  'apiextensions.CustomResourceColumnDefinition': [
    'Name string',
    'Type string',
    'Format string',
    'Description string',
    'Priority int32',
    'JSONPath string',
  ],
  'core.ResourceList': 'map[core.ResourceName]resource.Quantity',
  'core.SecurityContext': [
    'Capabilities *core.Capabilities',
    'Privileged *bool',
    'SELinuxOptions *core.SELinuxOptions',
    'RunAsUser *int64',
    'RunAsGroup *int64',
    'RunAsNonRoot *bool',
    'ReadOnlyRootFilesystem *bool',
    'AllowPrivilegeEscalation *bool',
    'ProcMount *core.ProcMountType',
  ],
  'core.ServicePort': ['Name string', 'Protocol core.Protocol', 'Port int32', 'TargetPort intstr.IntOrString', 'NodePort int32'],
  'policy.PodDisruptionBudgetSpec': ['MinAvailable *intstr.IntOrString', 'Selector *v1.LabelSelector', 'MaxUnavailable *intstr.IntOrString'],
  'rbac.RoleRef': ['APIGroup string', 'Kind string', 'Name string'],
  'v1.LabelSelector': ['MatchLabels map[string]string', 'MatchExpressions []v1.LabelSelectorRequirement'],
  'v1.LabelSelectorRequirement': ['Key string', 'Operator v1.LabelSelectorOperator', 'Values []string'],
};
