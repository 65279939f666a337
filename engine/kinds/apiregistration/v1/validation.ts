/** Who serves a group version. Mirrors pkg/apis/apiregistration/validation of kube-aggregator. */
import type { APIService } from '../../../api/apiregistration/v1/types.gen.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { type FieldErrorList, invalid, notSupportedOf, required } from '../../../apimachinery/field-errors.ts';
import { isDNS1035Label, isDNS1123Subdomain, isPathSegmentName, isValidPortNum } from '../../../apimachinery/validation.ts';
import { base64Size } from '../../../base/base64.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath, statusPath } from '../../shared/strategy.ts';

type Spec = NonNullable<APIService['spec']>;

const groupPriorityMax = 20_000;
const versionPriorityMax = 1000;
const verdicts = ['True', 'False', 'Unknown'];

/** A name says the version and the group. */
export function apiServiceNameFaults(name: string, { spec }: APIService): readonly string[] {
  const faults = isPathSegmentName(name);
  if (faults.length > 0) return faults;
  const wanted = `${spec?.version ?? ''}.${spec?.group ?? ''}`;
  return name === wanted ? [] : [`must be \`spec.version+"."+spec.group\`: ${goQuote(wanted)}`];
}

/** Of a status. */
export function validateApiServiceStatus({ status }: APIService): FieldErrorList {
  return (status?.conditions ?? []).flatMap(({ status: verdict = '' }, index) =>
    verdicts.includes(verdict) ? [] : [notSupportedOf(statusPath.child('conditions').index(index).child('status'), verdict, verdicts)],
  );
}

export function validateApiService({ spec }: APIService): FieldErrorList {
  const out: Faults = [];
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0, service } = spec ?? ({} as Partial<Spec>);
  if (group !== '') for (const fault of isDNS1123Subdomain(group)) out.push(invalid(specPath.child('group'), group, fault));
  else if (version !== 'v1') out.push(required(specPath.child('group'), 'only v1 may have an empty group and it better be legacy kube'));
  for (const fault of isDNS1035Label(version)) out.push(invalid(specPath.child('version'), version, fault));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > groupPriorityMax)
    out.push(invalid(specPath.child('groupPriorityMinimum'), groupPriorityMinimum, `must be positive and less than ${groupPriorityMax}`));
  if (versionPriority <= 0 || versionPriority > versionPriorityMax)
    out.push(invalid(specPath.child('versionPriority'), versionPriority, `must be positive and less than ${versionPriorityMax}`));
  if (service) validateService(service, spec, out);
  else validateLocal(spec, out);
  return out;
}

function validateLocal({ caBundle, insecureSkipTLSVerify }: Partial<Spec> = {}, out: Faults): void {
  const size = base64Size(caBundle ?? '');
  if (size > 0) out.push(invalid(specPath.child('caBundle'), `${size} bytes`, 'local APIServices may not have a caBundle'));
  if (insecureSkipTLSVerify === true)
    out.push(invalid(specPath.child('insecureSkipTLSVerify'), true, 'local APIServices may not have insecureSkipTLSVerify'));
}

function validateService(service: NonNullable<Spec['service']>, spec: Partial<Spec> | undefined, out: Faults): void {
  const path = specPath.child('service');
  for (const member of ['namespace', 'name'] as const) if (!service[member]) out.push(required(path.child(member)));
  const { port } = service;
  if (port !== undefined) for (const fault of isValidPortNum(port)) out.push(invalid(path.child('port'), port, `port is not valid: ${fault}`));
  if (spec?.insecureSkipTLSVerify === true && spec.caBundle)
    out.push(invalid(specPath.child('insecureSkipTLSVerify'), true, 'may not be true if caBundle is present'));
}
