/** What the kinds for one pod and for many (`Logs` and `ClusterLogs` …) say alike. */
import type { KubeObject } from '../../../apimachinery/object.ts';
import { type FieldErrorList, invalid, root } from '../../../apimachinery/field-errors.ts';
import type { KindDefinition } from '../../../contracts/kind.ts';
import type { Messages } from '../../shared/added-schema.ts';
import { defineKindOfKwok, missing, oneOf, selectorMessages } from './definition.ts';

interface Target extends KubeObject {
  readonly spec?: TargetSpec;
}

interface TargetSpec {
  readonly [member: string]: unknown;
}

interface Alike {
  /** The list that the specification holds, and its items. */
  readonly member: string;
  readonly item: string;
  readonly messages: Messages;
  readonly isRequired: boolean;
  readonly validate?: (items: readonly TargetSpec[]) => FieldErrorList;
}

/** The pair's name in one namespace, and for the whole cluster. */
export function defineKindOfTarget(kind: string, plural: string, alike: Alike, singular?: string): KindDefinition<Target> {
  const isWide = kind.startsWith('Cluster');
  const { member, item, messages, isRequired } = alike;
  return defineKindOfKwok<Target>({
    kind,
    plural,
    ...(singular === undefined ? {} : { singular }),
    namespaced: !isWide,
    messages: {
      Spec: { ...(isWide ? { selector: 'Selector' } : {}), [member]: `[]${item}${isRequired ? '!' : ''}` },
      ...messages,
      ...(isWide ? selectorMessages : {}),
    },
    validate: (spec) => [
      ...(isRequired ? missing(root('spec', member), spec[member]) : []),
      ...(alike.validate?.((spec[member] ?? []) as readonly TargetSpec[]) ?? []),
    ],
  });
}

export const logsAlike: Alike = {
  member: 'logs',
  item: 'Log',
  isRequired: true,
  messages: { Log: { containers: '[]string', logsFile: 'string*', previousLogsFile: 'string*', follow: 'bool*' } },
};

export const attachAlike: Alike = {
  member: 'attaches',
  item: 'AttachConfig',
  isRequired: true,
  messages: { AttachConfig: { containers: '[]string', logsFile: 'string*' } },
};

export const execAlike: Alike = {
  member: 'execs',
  item: 'ExecTarget',
  isRequired: true,
  messages: {
    ExecTarget: { containers: '[]string', local: 'Local' },
    Local: { workDir: 'string', envs: '[]EnvVar', securityContext: 'SecurityContext' },
    EnvVar: { name: 'string!', value: 'string' },
    SecurityContext: { runAsUser: 'int64*', runAsGroup: 'int64*' },
  },
};

export const forwardAlike: Alike = {
  member: 'forwards',
  item: 'Forward',
  isRequired: true,
  messages: {
    Forward: { ports: '[]int32', target: 'ForwardTarget', command: '[]string' },
    ForwardTarget: { port: 'int32!', address: 'string!' },
  },
  validate: (items) =>
    items.flatMap(({ target }, index) => {
      if (target === undefined) return [];
      const at = root('spec', 'forwards').index(index).child('target');
      const { port, address } = target as { readonly port?: number; readonly address?: string };
      const faults = port !== undefined && (port < 0 || port > 65_535) ? [invalid(at.child('port'), port, 'must be from 0 to 65535')] : [];
      return [...missing(at.child('port'), port), ...faults, ...missing(at.child('address'), address)];
    }),
};

export const usageAlike: Alike = {
  member: 'usages',
  item: 'Usage',
  isRequired: false,
  messages: { Usage: { containers: '[]string', usage: '{}Value' }, Value: { value: 'quantity*', expression: 'string*' } },
};

export interface MetricItem {
  readonly name?: string;
  readonly kind?: string;
  readonly dimension?: string;
}

export const metricMessages: Messages = {
  MetricConfig: {
    name: 'string!',
    help: 'string',
    kind: 'string!',
    labels: '[name]Label',
    value: 'string',
    buckets: '[]Bucket',
    dimension: 'string',
  },
  Label: { name: 'string!', value: 'string!' },
  Bucket: { le: 'double!', value: 'string!', hidden: 'bool' },
};

export function validateMetrics(items: readonly MetricItem[]): FieldErrorList {
  return items.flatMap(({ name, kind, dimension }, index) => {
    const at = root('spec', 'metrics').index(index);
    return [
      ...missing(at.child('name'), name),
      ...missing(at.child('kind'), kind),
      ...oneOf(at.child('kind'), kind, ['counter', 'gauge', 'histogram']),
      ...oneOf(at.child('dimension'), dimension, ['node', 'pod', 'container']),
    ];
  });
}
