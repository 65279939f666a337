/** Group versions and who serves them. */
import { localCondition } from '../../../component-helpers/local-api-service.ts';
import type { APIService } from '../../../api/apiregistration/v1/types.gen.ts';
import { defineKind, type StrategyContext } from '../../../contracts/kind.ts';
import { ageOf, columns, described, nameOf } from '../../shared/table.ts';
import { edit } from '../../shared/defaulting.ts';
import { apiServiceNameFaults, validateApiService, validateApiServiceStatus } from './validation.ts';

/** Whether one that is served here is available needs no asking. */
function prepareApiService(object: APIService, { nowText }: StrategyContext): APIService {
  return { ...object, status: object.spec?.service ? {} : { conditions: [localCondition(nowText)] } };
}

export const apiServiceKind = defineKind<APIService>({
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  metaChecks: { create: 'm', update: 'um', status: '', keptByStatus: true },
  plural: 'apiservices',
  singular: 'apiservice',
  categories: ['api-extensions'],
  namespaced: false,
  schema: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService',
  nameValidation: 'none',
  nameFaults: apiServiceNameFaults,
  allowUnconditionalUpdate: false,
  storagePrefix: 'apiregistration.k8s.io/apiservices',
  validate: validateApiService,
  validateUpdate: validateApiService,
  hasGeneration: false,
  prepareForCreate: prepareApiService,
  statusSubresource: { verbs: ['get', 'patch', 'update'], validateUpdate: validateApiServiceStatus, resetFields: [['spec'], ['metadata']] },
  defaults: (object) =>
    edit(object, 'spec', (spec) => edit(spec, 'service', (service) => (service.port === undefined ? { ...service, port: 443 } : service))),
  columns: columns(
    'Name',
    described('Service', 'The reference to the service that hosts this API endpoint.'),
    described('Available', 'Whether this service is available.'),
    'Age',
  ),
  row(object, context) {
    const service = object.spec?.service;
    const available = object.status?.conditions?.find((condition) => condition.type === 'Available');
    const verdict = available === undefined ? 'Unknown' : available.status === 'True' ? 'True' : `${available.status} (${available.reason ?? ''})`;
    return [nameOf(object), service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local', verdict, ageOf(object, context)];
  },
});
