/** Groups and versions that this release knows beside those that it serves from the start: OpenAPI v2 names them with what is of every group. */
export const unlistedVersions: { readonly [group: string]: readonly string[] } = {
  'admission.k8s.io': ['v1beta1'],
  'admissionregistration.k8s.io': ['v1alpha1'],
  'auditregistration.k8s.io': ['v1alpha1'],
  batch: ['v2alpha1'],
  'imagepolicy.k8s.io': ['v1alpha1'],
  'rbac.authorization.k8s.io': ['v1alpha1'],
  'scheduling.k8s.io': ['v1alpha1'],
  'settings.k8s.io': ['v1alpha1'],
  'storage.k8s.io': ['v1alpha1'],
};
