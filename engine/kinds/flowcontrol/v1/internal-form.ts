/** Specs as upstream's messages print them: the internal types, every field there, null where nothing was given. */
import type { FlowSchemaSpec, PriorityLevelConfigurationSpec, Subject } from '../../../api/flowcontrol/v1/types.gen.ts';

export function asInternalSchemaSpec({ priorityLevelConfiguration, matchingPrecedence, distinguisherMethod, rules }: FlowSchemaSpec): object {
  return {
    PriorityLevelConfiguration: { Name: priorityLevelConfiguration?.name ?? '' },
    MatchingPrecedence: matchingPrecedence ?? 0,
    DistinguisherMethod: distinguisherMethod === undefined ? null : { Type: distinguisherMethod.type ?? '' },
    Rules:
      rules?.map(({ subjects, resourceRules, nonResourceRules }) => ({
        Subjects: subjects?.map(asInternalSubject) ?? null,
        ResourceRules:
          resourceRules?.map((rule) => ({
            Verbs: rule.verbs ?? null,
            APIGroups: rule.apiGroups ?? null,
            Resources: rule.resources ?? null,
            ClusterScope: rule.clusterScope ?? false,
            Namespaces: rule.namespaces ?? null,
          })) ?? null,
        NonResourceRules:
          nonResourceRules?.map(({ verbs, nonResourceURLs }) => ({ Verbs: verbs ?? null, NonResourceURLs: nonResourceURLs ?? null })) ?? null,
      })) ?? null,
  };
}

function asInternalSubject({ kind, user, group, serviceAccount }: Subject): object {
  return {
    Kind: kind ?? '',
    User: user === undefined ? null : { Name: user.name ?? '' },
    Group: group === undefined ? null : { Name: group.name ?? '' },
    ServiceAccount: serviceAccount === undefined ? null : { Namespace: serviceAccount.namespace ?? '', Name: serviceAccount.name ?? '' },
  };
}

export function asInternalLevelSpec({ type, limited, exempt }: PriorityLevelConfigurationSpec): object {
  const { limitResponse } = limited ?? {};
  const queuing = limitResponse?.queuing;
  return {
    Type: type ?? '',
    Limited:
      limited === undefined
        ? null
        : {
            NominalConcurrencyShares: limited.nominalConcurrencyShares ?? 0,
            LimitResponse: {
              Type: limitResponse?.type ?? '',
              Queuing:
                queuing === undefined
                  ? null
                  : { Queues: queuing.queues ?? 0, HandSize: queuing.handSize ?? 0, QueueLengthLimit: queuing.queueLengthLimit ?? 0 },
            },
            LendablePercent: limited.lendablePercent ?? null,
            BorrowingLimitPercent: limited.borrowingLimitPercent ?? null,
          },
    Exempt:
      exempt === undefined
        ? null
        : { NominalConcurrencyShares: exempt.nominalConcurrencyShares ?? null, LendablePercent: exempt.lendablePercent ?? null },
  };
}
