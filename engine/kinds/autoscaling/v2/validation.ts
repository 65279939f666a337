/** Autoscalers. Mirrors pkg/apis/autoscaling/validation. */
import type {
  CrossVersionObjectReference,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HPAScalingRules,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
} from '../../../api/autoscaling/v2/types.gen.ts';
import { evenEmpty, type FieldErrorList, type FieldPath, forbidden, invalid, notSupported, required } from '../../../apimachinery/field-errors.ts';
import { parseQuantity, quantitySign } from '../../../apimachinery/quantity.ts';
import { isDNS1123Label, isPathSegmentName, negativeText } from '../../../apimachinery/validation.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { type Faults, validateContainerResourceName } from '../../core/v1/resource-validation.ts';
import { specPath, statusPath } from '../../shared/strategy.ts';

const sourceTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const targetTypes = ['Utilization', 'Value', 'AverageValue'];
const selectPolicies = ['Disabled', 'Max', 'Min'];
const policyTypes = ['Percent', 'Pods'];
const windowMax = 3600;
const periodMax = 1800;

/** `old` is what an update changes: what was let in once stays. */
export function validateAutoscaler(
  { spec }: HorizontalPodAutoscaler,
  context: Pick<StrategyContext, 'ratcheted' | 'featureEnabled'>,
  old?: HorizontalPodAutoscaler,
): FieldErrorList {
  const out: Faults = [];
  const { minReplicas, maxReplicas = 0, scaleTargetRef, metrics = [], behavior } = spec ?? ({} as Partial<NonNullable<typeof spec>>);
  const fewest = old?.spec?.minReplicas === 0 || context.featureEnabled('HPAScaleToZero') ? 0 : 1;
  if (minReplicas !== undefined && minReplicas < fewest)
    out.push(invalid(specPath.child('minReplicas'), minReplicas, `must be greater than or equal to ${fewest}`));
  const most = specPath.child('maxReplicas');
  if (maxReplicas === 0 || (maxReplicas < 0 && !context.ratcheted('ScaleTargetGroups'))) out.push(required(most, 'must be set and greater than 0'));
  else if (maxReplicas < 0) out.push(invalid(most, maxReplicas, 'must be greater than or equal to 1'));
  if (minReplicas !== undefined && maxReplicas < minReplicas)
    out.push(invalid(specPath.child('maxReplicas'), maxReplicas, 'must be greater than or equal to `minReplicas`'));
  const path = specPath.child('scaleTargetRef');
  validateReference(scaleTargetRef, path, out);
  if (context.ratcheted('ScaleTargetGroups') && !isSameKind(scaleTargetRef, old?.spec?.scaleTargetRef)) validateGroup(scaleTargetRef, path, out);
  const judgesGroups = context.ratcheted('ScaleTargetGroups') && !old?.spec?.metrics?.some(isOfNoGroup);
  for (const [index, metric] of metrics.entries()) validateMetric(metric, judgesGroups, specPath.child('metrics').index(index), out);
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External'))
    out.push(forbidden(specPath.child('metrics'), 'must specify at least one Object or External metric to support scaling to zero replicas'));
  if (behavior) validateBehavior(behavior, out);
  return out;
}

function validateReference(reference: CrossVersionObjectReference | undefined, path: FieldPath, out: Faults): void {
  for (const member of ['kind', 'name'] as const) {
    const value = reference?.[member];
    if (!value) out.push(required(path.child(member)));
    else for (const fault of isPathSegmentName(value)) out.push(invalid(path.child(member), value, fault));
  }
}

function isSameKind(one: CrossVersionObjectReference | undefined, other: CrossVersionObjectReference | undefined): boolean {
  return other !== undefined && one?.kind === other.kind && one.apiVersion === other.apiVersion;
}

function validateGroup({ apiVersion = '', kind }: Partial<CrossVersionObjectReference> = {}, path: FieldPath, out: Faults): void {
  const at = path.child('apiVersion');
  const [group = '', version] = apiVersion.split('/');
  if (!isGroupVersion(apiVersion)) validateVersion(apiVersion, at, out);
  // Of the group without a name this is the only kind that can be scaled.
  else if ((version === undefined || group === '') && kind !== 'ReplicationController')
    out.push(invalid(at, apiVersion, 'apiVersion must specify API group'));
}

/** Go asks for no more than one slash: `/v1` is a version of the group without a name, `apps/` a group without a version. */
function isGroupVersion(apiVersion: string): boolean {
  return apiVersion.split('/').length <= 2;
}

function validateVersion(apiVersion: string, path: FieldPath, out: Faults): void {
  if (!isGroupVersion(apiVersion)) out.push(invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
}

/** The sources in upstream's order; only the first that is there is judged. */
const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;

function isOfNoGroup({ type, object }: MetricSpec): boolean {
  const version = object?.describedObject?.apiVersion ?? '';
  return type === 'Object' && !isGroupVersion(version);
}

function validateMetric(metric: MetricSpec, judgesGroups: boolean, path: FieldPath, out: Faults): void {
  const { type = '' } = metric;
  if (type === '') out.push(required(path.child('type'), 'must specify a metric source type'));
  if (!sourceTypes.includes(type)) out.push(notSupported(path.child('type'), type, sourceTypes));
  const given = sources.filter((source) => metric[source] !== undefined);
  if (given[0] !== undefined) validateSource(metric, given[0], judgesGroups, path.child(given[0]), out);
  // Upstream says so twice.
  const isKnown = sourceTypes.includes(type);
  const wanted = isKnown ? type.charAt(0).toLowerCase() + type.slice(1) : '';
  if (!isKnown) out.push(notSupported(path.child('type'), type, sourceTypes));
  else if (!given.some((source) => source === wanted))
    out.push(required(path.child(wanted), 'must populate information for the given metric source'));
  if (given.length < 2) return;
  for (const source of given) if (source !== wanted) out.push(forbidden(path.child(source), 'must populate the given metric source only'));
}

function validateSource(metric: MetricSpec, source: (typeof sources)[number], judgesGroups: boolean, path: FieldPath, out: Faults): void {
  const { object, external, pods, resource, containerResource } = metric;
  switch (source) {
    case 'object':
      validateReference(object?.describedObject, path.child('describedObject'), out);
      if (judgesGroups) validateVersion(object?.describedObject?.apiVersion ?? '', path.child('describedObject', 'apiVersion'), out);
      return validateValues(object?.metric, object?.target, 'must set either a target value or averageValue', path, out);
    case 'external':
      validateValues(external?.metric, external?.target, 'must set either a target value for metric or a per-pod target', path, out);
      if (external?.target?.value !== undefined && external.target.averageValue !== undefined)
        out.push(forbidden(path.child('target').child('value'), 'may not set both a target value for metric and a per-pod target'));
      return;
    case 'pods':
      validateIdentifier(pods?.metric, path.child('metric'), out);
      validateTarget(pods?.target, path.child('target'), out);
      if (pods?.target?.averageValue === undefined)
        out.push(required(path.child('target').child('averageValue'), 'must specify a positive target averageValue'));
      return;
    case 'resource':
      return validateResource(resource?.name, resource?.target, path, out);
    case 'containerResource':
      if (!containerResource?.name) out.push(required(path.child('name'), 'must specify a resource name'));
      else validateContainerResourceName(containerResource.name, path.child('name'), out);
      if (!containerResource?.container) out.push(required(path.child('container'), 'must specify a container'));
      else
        for (const fault of isDNS1123Label(containerResource.container))
          out.push(invalid(path.child('container'), containerResource.container, fault));
      validateUtilization(containerResource?.target, path.child('target'), out);
  }
}

function validateValues(metric: MetricIdentifier | undefined, target: MetricTarget | undefined, none: string, path: FieldPath, out: Faults): void {
  validateIdentifier(metric, path.child('metric'), out);
  validateTarget(target, path.child('target'), out);
  if (target?.value === undefined && target?.averageValue === undefined) out.push(required(path.child('target').child('averageValue'), none));
}

function validateResource(name: string | undefined, target: MetricTarget | undefined, path: FieldPath, out: Faults): void {
  if (!name) out.push(required(path.child('name'), 'must specify a resource name'));
  validateUtilization(target, path.child('target'), out);
}

function validateUtilization(target: MetricTarget | undefined, path: FieldPath, out: Faults): void {
  validateTarget(target, path, out);
  const [utilization, value] = [target?.averageUtilization, target?.averageValue];
  if (utilization === undefined && value === undefined)
    out.push(required(path.child('averageUtilization'), 'must set either a target raw value or a target utilization'));
  if (utilization !== undefined && value !== undefined)
    out.push(forbidden(path.child('averageValue'), 'may not set both a target raw value and a target utilization'));
}

function validateIdentifier(metric: MetricIdentifier | undefined, path: FieldPath, out: Faults): void {
  const name = metric?.name ?? '';
  if (name === '') out.push(required(path.child('name'), 'must specify a metric name'));
  else for (const fault of isPathSegmentName(name)) out.push(invalid(path.child('name'), name, fault));
}

function validateTarget(target: MetricTarget | undefined, path: FieldPath, out: Faults): void {
  const type = target?.type ?? '';
  if (type === '') out.push(required(path.child('type'), 'must specify a metric target type'));
  if (!targetTypes.includes(type)) out.push(invalid(path.child('type'), type, 'must be either Utilization, Value, or AverageValue'));
  for (const member of ['value', 'averageValue'] as const) {
    const text = target?.[member];
    if (text !== undefined && quantitySign(parseQuantity(text)) <= 0) out.push(invalid(path.child(member), text, 'must be positive'));
  }
  const utilization = target?.averageUtilization;
  if (utilization !== undefined && utilization < 1) out.push(invalid(path.child('averageUtilization'), utilization, 'must be greater than 0'));
}

function validateBehavior(behavior: HorizontalPodAutoscalerBehavior, out: Faults): void {
  const path = specPath.child('behavior');
  if (behavior.scaleUp) validateRules(behavior.scaleUp, path.child('scaleUp'), out);
  if (behavior.scaleDown) validateRules(behavior.scaleDown, path.child('scaleDown'), out);
}

function validateRules(
  { stabilizationWindowSeconds: window = 0, selectPolicy, policies = [], tolerance }: HPAScalingRules,
  path: FieldPath,
  out: Faults,
): void {
  const at = path.child('stabilizationWindowSeconds');
  if (window < 0) out.push(invalid(at, window, 'must be greater than or equal to zero'));
  if (window > windowMax) out.push(invalid(at, window, `must be less than or equal to ${windowMax}`));
  if (selectPolicy !== undefined && !selectPolicies.includes(selectPolicy))
    out.push(notSupported(path.child('selectPolicy'), selectPolicy, selectPolicies));
  if (policies.length === 0) out.push(evenEmpty(required(path.child('policies'), 'must specify at least one Policy')));
  for (const [index, { type = '', value = 0, periodSeconds = 0 }] of policies.entries()) {
    const place = path.child('policies').index(index);
    if (!policyTypes.includes(type)) out.push(notSupported(place.child('type'), type, policyTypes));
    if (value <= 0) out.push(invalid(place.child('value'), value, 'must be greater than zero'));
    if (periodSeconds <= 0) out.push(invalid(place.child('periodSeconds'), periodSeconds, 'must be greater than zero'));
    if (periodSeconds > periodMax) out.push(invalid(place.child('periodSeconds'), periodSeconds, `must be less than or equal to ${periodMax}`));
  }
  if (tolerance !== undefined && quantitySign(parseQuantity(tolerance)) < 0) out.push(invalid(path.child('tolerance'), tolerance, negativeText));
}

export function validateAutoscalerStatus({ status }: HorizontalPodAutoscaler): FieldErrorList {
  return (['currentReplicas', 'desiredReplicas'] as const).flatMap((name) => {
    const count = status?.[name] ?? 0;
    return count < 0 ? [invalid(statusPath.child(name), count, negativeText)] : [];
  });
}
