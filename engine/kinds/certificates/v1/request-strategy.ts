/** Signing requests: who asks is who sends; approval and status are written apart. Mirrors pkg/registry/certificates/certificates/strategy.go. */
import type { CertificateSigningRequest } from '../../../api/certificates/v1/types.gen.ts';
import type { KindDefinition } from '../../../contracts/kind.ts';
import { statusOnly } from '../../shared/strategy.ts';
import { type Conditions, ofType, validateRequest, validateRequestUpdate, verdicts } from './request-validation.ts';

type Request = CertificateSigningRequest;

function conditionsOf({ status }: Request): Conditions {
  return status?.conditions ?? [];
}

function withConditions(status: Request['status'], conditions: Conditions): NonNullable<Request['status']> {
  const { conditions: _conditions, ...rest } = status ?? {};
  return conditions.length > 0 ? { ...rest, conditions } : rest;
}

/** Conditions that say no times get this one; one that was so already changed when it did then. */
function dated(next: Request, old: Request, nowText: string): Conditions {
  return conditionsOf(next).map((condition) => {
    const before = conditionsOf(old).find(
      ({ type, status, lastTransitionTime }) => type === condition.type && status === condition.status && lastTransitionTime,
    );
    return {
      ...condition,
      lastUpdateTime: condition.lastUpdateTime || nowText,
      lastTransitionTime: condition.lastTransitionTime || before?.lastTransitionTime || nowText,
    };
  });
}

/** Verdicts stay as they were, where as many are given; validation refuses others. */
function keptVerdicts(next: Request, old: Request): Request {
  const kept = conditionsOf(next).map((condition, index, all) => {
    if (!verdicts.includes(condition.type) || ofType(next, condition.type).length !== ofType(old, condition.type).length) return condition;
    const place = all.slice(0, index).filter(({ type }) => type === condition.type).length;
    return ofType(old, condition.type)[place] ?? condition;
  });
  return { ...next, status: withConditions(next.status, kept) };
}

export const csrHooks: Pick<
  KindDefinition<Request>,
  'resetFields' | 'prepareForCreate' | 'prepareForUpdate' | 'validate' | 'validateUpdate' | 'statusSubresource' | 'subresources'
> = {
  resetFields: [['spec'], ['status']],
  prepareForCreate(object, context) {
    const { name, uid, groups, extra } = context.identity;
    const { username: _u, uid: _i, groups: _g, extra: _e, ...spec } = object.spec ?? { request: '', signerName: '' };
    const { status: _status, ...rest } = object;
    return { ...rest, spec: { ...spec, username: name, ...(uid && { uid }), groups: [...groups], ...(extra && { extra }) } };
  },
  prepareForUpdate: (next, old) => ({ ...next, spec: old.spec, ...(old.status && { status: old.status }) }),
  validate: (object, context) => validateRequest(object, context),
  validateUpdate: (next, old, context) => validateRequestUpdate(next, old, context),
  statusSubresource: {
    verbs: ['get', 'patch', 'update'],
    prepareForUpdate(next, old, context) {
      // Before signers had names, conditions were of the approval alone.
      const kept = context.ratcheted('NamedSigners') ? keptVerdicts(next, old) : { ...next, status: withConditions(next.status, conditionsOf(old)) };
      return { ...statusOnly(next, old), status: withConditions(next.status, dated(kept, old, context.nowText)) };
    },
    validateUpdate: (next, old, context) => validateRequestUpdate(next, old, context, { certificate: true }),
    resetFields: [['spec'], ['status', 'conditions']],
  },
  subresources: {
    approval: {
      verbs: ['get', 'patch', 'update'],
      prepareForUpdate: (next, old, { nowText }) => ({ ...statusOnly(next, old), status: withConditions(old.status, dated(next, old, nowText)) }),
      validateUpdate: (next, old, context) => validateRequestUpdate(next, old, context, { verdicts: true }),
      resetFields: [['spec'], ['status', 'certificate']],
    },
  },
};
