/** The options of an operation as admission shows them. Mirrors patchToCreateOptions and its kin of apiserver pkg/endpoints/handlers. */
import type { JsonObject } from '../../base/json.ts';
import type { ApiRequest } from '../../contracts/request.ts';
import type { AdmissionVerb } from '../admission.ts';

export function operationOptionsOf(request: ApiRequest, verb: AdmissionVerb): JsonObject {
  const apiVersion = 'meta.k8s.io/v1';
  if (verb === 'DELETE') return { kind: 'DeleteOptions', apiVersion, ...(request.delete as JsonObject | undefined) };
  const { dryRun, fieldManager } = request.write ?? {};
  // Not what stands for nothing: what was asked for.
  const fieldValidation = request.query?.['fieldValidation'];
  return {
    kind: verb === 'CREATE' ? 'CreateOptions' : 'UpdateOptions',
    apiVersion,
    ...(dryRun === true ? { dryRun: ['All'] } : {}),
    ...(fieldManager === undefined || fieldManager === '' ? {} : { fieldManager }),
    ...(fieldValidation === undefined || fieldValidation === '' ? {} : { fieldValidation }),
  };
}
