/** Group versions and who serves them, before this was stable; stored as v1, which has the same fields. */
import type { APIService } from '../../../api/apiregistration/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { apiServiceKind as stored } from '../v1/api-service.ts';

export const apiServiceKind = defineKind<APIService>(
  olderForm(stored, {
    group: 'apiregistration.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1beta1.APIService',
    deprecated: 19,
    removed: 22,
  }),
);
