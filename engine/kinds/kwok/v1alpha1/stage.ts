/** Steps in the lives of nodes, pods and other objects; `engine/kwok` plays them. */
import type { Stage, StageSpec } from '../../../api/kwok/v1alpha1/stage.ts';
import { type FieldErrorList, invalid, root } from '../../../apimachinery/field-errors.ts';
import { edit } from '../../shared/defaulting.ts';
import { defineKindOfKwok, missing, oneOf } from './definition.ts';

const patchTypes = ['json', 'merge', 'strategic'];
const applyTypes = ['apply', 'merge', 'strategic'];
const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

export const stageKind = defineKindOfKwok<Stage>({
  kind: 'Stage',
  plural: 'stages',
  namespaced: false,
  messages: {
    Spec: {
      resourceRef: 'ResourceRef',
      selector: 'Selector',
      weight: 'int64*',
      weightFrom: 'Expression',
      delay: 'Delay',
      next: 'Next',
      immediateNextStage: 'bool*',
      steps: '[]Step',
    },
    ResourceRef: { apiGroup: 'string', kind: 'string!' },
    Selector: { matchLabels: '{}string', matchAnnotations: '{}string', matchExpressions: '[]MatchExpression' },
    MatchExpression: { cel: 'Cel', jq: 'Requirement', key: 'string', operator: 'string', values: '[]string' },
    Requirement: { key: 'string', operator: 'string', values: '[]string' },
    Cel: { expression: 'string' },
    Expression: { cel: 'Cel', jq: 'Cel', expressionFrom: 'string' },
    Delay: { durationMilliseconds: 'int64*', durationFrom: 'Expression', jitterDurationMilliseconds: 'int64*', jitterDurationFrom: 'Expression' },
    Next: {
      event: 'Event',
      finalizers: 'Finalizers',
      delete: 'bool*',
      patches: '[]Patch',
      statusTemplate: 'string',
      statusSubresource: 'string',
      statusPatchAs: 'Impersonation',
    },
    Step: { patch: 'Patch', event: 'Event', finalizers: 'Finalizers', delete: 'bool*', apply: 'Apply' },
    Event: { type: 'string', reason: 'string', message: 'string' },
    Finalizers: { add: '[]Finalizer', remove: '[]Finalizer', empty: 'bool*' },
    Finalizer: { value: 'string' },
    Patch: { subresource: 'string', root: 'string', template: 'string', type: 'string', impersonation: 'Impersonation' },
    Apply: { template: 'string', subresource: 'string', type: 'string', impersonation: 'Impersonation' },
    Impersonation: { username: 'string!' },
  },
  defaults: (object) =>
    edit(object, 'spec', (spec) => {
      const filled = spec.weight === undefined ? { ...spec, weight: 0 } : spec;
      const referring = edit(filled, 'resourceRef', (ref) => (ref.apiGroup === undefined ? { ...ref, apiGroup: 'v1' } : ref));
      return edit(referring, 'next', (next) => (next.statusSubresource === undefined ? { ...next, statusSubresource: 'status' } : next));
    }),
  validate,
});

function validate({ resourceRef, selector, weight, delay, next, steps = [] }: StageSpec): FieldErrorList {
  const at = root('spec');
  const numbers: readonly (readonly [string, number | undefined])[] = [
    ['durationMilliseconds', delay?.durationMilliseconds],
    ['jitterDurationMilliseconds', delay?.jitterDurationMilliseconds],
  ];
  const negative = (value: number | undefined): value is number => value !== undefined && value < 0;
  return [
    ...(resourceRef === undefined ? missing(at.child('resourceRef'), undefined) : missing(at.child('resourceRef').child('kind'), resourceRef.kind)),
    ...(negative(weight) ? [invalid(at.child('weight'), weight, 'should be greater than or equal to 0')] : []),
    ...numbers.flatMap(([name, value]) =>
      negative(value) ? [invalid(at.child('delay').child(name), value, 'should be greater than or equal to 0')] : [],
    ),
    ...(selector?.matchExpressions ?? []).flatMap(({ jq, operator }, index) => {
      const there = at.child('selector').child('matchExpressions').index(index);
      return jq === undefined
        ? oneOf(there.child('operator'), operator, operators)
        : oneOf(there.child('jq').child('operator'), jq.operator, operators);
    }),
    ...(next?.patches ?? []).flatMap(({ type }, index) => oneOf(at.child('next').child('patches').index(index).child('type'), type, patchTypes)),
    ...steps.flatMap(({ patch, apply }, index) => [
      ...oneOf(at.child('steps').index(index).child('patch').child('type'), patch?.type, patchTypes),
      ...oneOf(at.child('steps').index(index).child('apply').child('type'), apply?.type, applyTypes),
    ]),
  ];
}
