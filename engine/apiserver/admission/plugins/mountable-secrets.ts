/**
 * What pods of a service account that limits its Secrets may name: those of its list in volumes and environments, and its own for pulling.
 * Mirrors limitSecretReferences of plugin/pkg/admission/serviceaccount.
 */
import type { Container, EphemeralContainer, Pod, PodSpec, ServiceAccount } from '../../../api/core/v1/types.gen.ts';
import { goBool } from '../../../apimachinery/go-bool.ts';
import { mountableSecretsAnnotation } from '../../../component-helpers/token-secrets.ts';

export function limitsSecrets({ metadata }: ServiceAccount): boolean {
  const said = metadata.annotations?.[mountableSecretsAnnotation];
  return said !== undefined && goBool(said) === true;
}

/** The first Secret that the pod may not name, in upstream's words. `judgesEnvFrom`: also those that become an environment as a whole. */
export function unmountableSecret(account: ServiceAccount, spec: PodSpec, judgesEnvFrom: boolean): string | undefined {
  const mountable = namesOf(account.secrets);
  for (const { secret } of spec.volumes ?? []) {
    const named = secret?.secretName ?? '';
    if (secret && !mountable.has(named)) return `volume with secret.secretName="${named}" ${notReferenced(account)}`;
  }
  for (const [who, containers] of [
    ['init container', spec.initContainers],
    ['container', spec.containers],
  ] as const) {
    const found = unmountableSource(who, containers ?? [], account, judgesEnvFrom);
    if (found !== undefined) return found;
  }
  const own = namesOf(account.imagePullSecrets);
  const index = (spec.imagePullSecrets ?? []).findIndex(({ name = '' }) => !own.has(name));
  if (index < 0) return undefined;
  const who = account.metadata.name ?? '';
  return `imagePullSecrets[${index}].name="${spec.imagePullSecrets?.[index]?.name ?? ''}" is not allowed because service account ${who} does not reference that imagePullSecret`;
}

/** The same of the ephemeral containers. */
export function unmountableLater(account: ServiceAccount, { spec }: Pod): string | undefined {
  return unmountableSource('ephemeral container', spec?.ephemeralContainers ?? [], account, true);
}

function unmountableSource(
  who: string,
  containers: readonly (Container | EphemeralContainer)[],
  account: ServiceAccount,
  judgesEnvFrom: boolean,
): string | undefined {
  const mountable = namesOf(account.secrets);
  for (const { name, env, envFrom } of containers) {
    for (const variable of env ?? []) {
      const reference = variable.valueFrom?.secretKeyRef;
      const named = reference?.name ?? '';
      if (reference && !mountable.has(named))
        return `${who} ${name} with envVar ${variable.name} referencing secret.secretName="${named}" ${notReferenced(account)}`;
    }
    for (const { secretRef } of judgesEnvFrom ? (envFrom ?? []) : []) {
      const named = secretRef?.name ?? '';
      if (secretRef && !mountable.has(named)) return `${who} ${name} with envFrom referencing secret.secretName="${named}" ${notReferenced(account)}`;
    }
  }
  return undefined;
}

function notReferenced({ metadata }: ServiceAccount): string {
  return `is not allowed because service account ${metadata.name ?? ''} does not reference that secret`;
}

function namesOf(references: readonly { readonly name?: string }[] | null | undefined): ReadonlySet<string> {
  return new Set((references ?? []).map(({ name = '' }) => name));
}
