/** Signing requests: who asks is who sends; approval and status are written apart. Mirrors pkg/registry/certificates/certificates/strategy.go. */
import type { CertificateSigningRequest } from '../../../api/certificates/v1/types.gen.ts';
import { type FieldErrorList, invalid, required } from '../../../apimachinery/field-errors.ts';
import type { KindDefinition } from '../../../contracts/kind.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath, statusOnly } from '../../shared/strategy.ts';

type Request = CertificateSigningRequest;
const verdicts = ['Approved', 'Denied'];
const expirationMin = 600;

function validateRequest(object: Request): FieldErrorList {
  const out: Faults = [];
  const { request, signerName = '', usages, expirationSeconds } = object.spec ?? {};
  if (!request) out.push(invalid(specPath.child('request'), [], 'PEM block type must be CERTIFICATE REQUEST'));
  if (!usages?.length) out.push(required(specPath.child('usages'), 'usages must be specified'));
  if (signerName === '') out.push(required(specPath.child('signerName')));
  else if (!/^[^/]+\/[^/]+$/.test(signerName))
    out.push(invalid(specPath.child('signerName'), signerName, "must be a fully qualified domain and path of the form 'example.com/signer-name'"));
  if (expirationSeconds !== undefined && expirationSeconds < expirationMin)
    out.push(invalid(specPath.child('expirationSeconds'), expirationSeconds, 'may not specify a duration less than 600 seconds (10 minutes)'));
  return out;
}

type Conditions = NonNullable<NonNullable<Request['status']>['conditions']>;

/** Status leaves the verdicts alone; approval writes every condition, and conditions only. */
function mergeConditions(next: Request, old: Request, owned: (type: string) => boolean, nowText: string): Request {
  const given: Conditions = next.status?.conditions ?? [];
  const before: Conditions = old.status?.conditions ?? [];
  const kept = before.filter((condition) => !owned(condition.type));
  const mine = given
    .filter((condition) => owned(condition.type))
    .map((condition) => ({
      ...condition,
      lastUpdateTime: condition.lastUpdateTime || nowText,
      lastTransitionTime: condition.lastTransitionTime || nowText,
    }));
  const conditions = [...kept, ...mine];
  const { conditions: _conditions, ...status } = next.status ?? {};
  return { ...statusOnly(next, old), status: conditions.length > 0 ? { ...status, conditions } : status };
}

export const csrHooks: Pick<
  KindDefinition<Request>,
  'prepareForCreate' | 'prepareForUpdate' | 'validate' | 'validateUpdate' | 'statusSubresource' | 'subresources'
> = {
  prepareForCreate(object, context) {
    const { name, uid, groups, extra } = context.identity;
    const { username: _u, uid: _i, groups: _g, extra: _e, ...spec } = object.spec ?? { request: '', signerName: '' };
    const { status: _status, ...rest } = object;
    return { ...rest, spec: { ...spec, username: name, ...(uid && { uid }), groups: [...groups], ...(extra && { extra }) } };
  },
  prepareForUpdate: (next, old) => ({ ...next, spec: old.spec, ...(old.status && { status: old.status }) }),
  validate: validateRequest,
  validateUpdate: () => [],
  statusSubresource: {
    verbs: ['get', 'patch', 'update'],
    prepareForUpdate: (next, old, context) => mergeConditions(next, old, (type) => !verdicts.includes(type), context.nowText),
    resetFields: [['spec'], ['metadata', 'labels'], ['metadata', 'annotations']],
  },
  subresources: {
    approval: {
      verbs: ['get', 'patch', 'update'],
      prepareForUpdate(next, old, context) {
        const merged = mergeConditions(next, old, () => true, context.nowText);
        const conditions = merged.status?.conditions;
        const { conditions: _conditions, ...status } = old.status ?? {};
        return { ...merged, status: conditions === undefined ? status : { ...status, conditions } };
      },
      resetFields: [['spec']],
    },
  },
};
