/** Where a Deployment keeps the wish to roll back that only its older versions have a field for. */
export const rollbackAnnotation = 'deprecated.deployment.rollback.to';
