/** What is printed of policies, their bindings and webhooks, in each version. */
import { columns, described, integerColumn } from '../../shared/table.ts';

const paramKindColumn = described('ParamKind', 'ParamKind specifies the kind of resources used to parameterize this policy');

export const mutatingPolicyColumns = columns(
  'Name',
  integerColumn('Mutations', 'Mutation indicates the number of mutations rules defined in this configuration'),
  paramKindColumn,
  'Age',
);

export const validatingPolicyColumns = columns(
  'Name',
  integerColumn('Validations', 'Validations indicates the number of validation rules defined in this configuration'),
  paramKindColumn,
  'Age',
);

export const policyBindingColumns = columns(
  'Name',
  described('PolicyName', 'PolicyName indicates the policy definition which the policy binding binded to'),
  described('ParamRef', 'ParamRef indicates the param resource which sets the configuration param'),
  'Age',
);

export const webhookColumns = columns(
  'Name',
  integerColumn('Webhooks', 'Webhooks indicates the number of webhooks registered in this configuration'),
  'Age',
);
