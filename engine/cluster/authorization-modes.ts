/** The options that say who decides: `--authorization-mode` and what belongs to it, or `--authorization-config`. Mirrors pkg/kubeapiserver/options/authorization.go. */
import {
  type AuthorizationMode,
  authorizationModes,
  type ConfiguredAuthorizer,
  readAuthorizationConfiguration,
} from '../apiserver/auth/authorization-configuration.ts';
import { ConfigurationFault } from '../apiserver/configuration-reader.ts';

interface Lists {
  text(name: string): string;
  list(name: string): readonly string[];
  milliseconds(name: string): number;
}

const webhookTimeoutMs = 30_000;

/** Whom to ask, in order. */
export function configuredAuthorizers(settings: Lists): readonly ConfiguredAuthorizer[] {
  const configuration = settings.text('authorization-config');
  // Its files were looked at when the options were read.
  if (configuration !== '') return readAuthorizationConfiguration(configuration, () => undefined);
  return settings.list('authorization-mode').flatMap((mode) => {
    const type = authorizationModes.find((known) => known === mode);
    if (type === undefined) return [];
    return [type === 'Webhook' ? { type, name: 'default', webhook: webhookOf(settings) } : { type, name: type.toLowerCase() }];
  });
}

function webhookOf(settings: Lists): NonNullable<ConfiguredAuthorizer['webhook']> {
  return {
    kubeconfig: settings.text('authorization-webhook-config-file'),
    version: settings.text('authorization-webhook-version') === 'v1' ? 'v1' : 'v1beta1',
    timeoutMs: webhookTimeoutMs,
    authorizedMs: settings.milliseconds('authorization-webhook-cache-authorized-ttl'),
    unauthorizedMs: settings.milliseconds('authorization-webhook-cache-unauthorized-ttl'),
    failurePolicy: 'NoOpinion',
    conditions: [],
  };
}

function modesOf(settings: Lists): readonly AuthorizationMode[] {
  return configuredAuthorizers(settings).map(({ type }) => type);
}

/** Whether nodes can join without anybody else's doing. */
export function letsNodesJoin(settings: Lists): boolean {
  const modes = modesOf(settings);
  return modes.includes('AlwaysAllow') || (modes.includes('Node') && modes.includes('RBAC'));
}

/** One line about what is wrong with the options, in upstream's words. `isGiven` says which were. */
export function authorizationMistake(textOf: (name: string) => string, isGiven: (name: string) => boolean): string | undefined {
  const configuration = textOf('authorization-config');
  if (configuration === '') return modeMistake(textOf);
  if (legacyOptions.some(isGiven))
    return '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined';
  try {
    readAuthorizationConfiguration(configuration, () => undefined);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationFault) return error.message;
    throw error;
  }
}

const legacyOptions = [
  'authorization-mode',
  'authorization-webhook-config-file',
  'authorization-webhook-version',
  'authorization-webhook-cache-authorized-ttl',
  'authorization-webhook-cache-unauthorized-ttl',
];

function modeMistake(textOf: (name: string) => string): string | undefined {
  const modes = textOf('authorization-mode')
    .split(',')
    .map((mode) => mode.trim())
    .filter((mode) => mode !== '');
  if (modes.length === 0) return 'at least one authorization-mode must be passed';
  const [policyFile, webhookFile, version] = ['policy-file', 'webhook-config-file', 'webhook-version'].map((name) =>
    textOf(`authorization-${name}`),
  ) as [string, string, string];
  const faults = modes.flatMap((mode) => {
    if (!(authorizationModes as readonly string[]).includes(mode)) return [`authorization-mode ${JSON.stringify(mode)} is not a valid mode`];
    if (mode === 'ABAC' && policyFile === '') return ["authorization-mode ABAC's authorization policy file not passed"];
    return mode === 'Webhook' && webhookFile === '' ? ["authorization-mode Webhook's authorization config file not passed"] : [];
  });
  if (policyFile !== '' && !modes.includes('ABAC')) faults.push('cannot specify --authorization-policy-file without mode ABAC');
  if (webhookFile !== '' && !modes.includes('Webhook')) faults.push('cannot specify --authorization-webhook-config-file without mode Webhook');
  if (new Set(modes).size < modes.length)
    faults.push(`authorization-mode [${modes.map((mode) => JSON.stringify(mode)).join(' ')}] has mode specified more than once`);
  if (faults.length > 0) return faults.length === 1 ? faults[0] : `[${[...new Set(faults)].join(', ')}]`;
  if (modes.includes('Webhook') && version !== 'v1' && version !== 'v1beta1')
    return `invalid authorization config: unsupported webhook authorizer version ${JSON.stringify(version)}, supported versions are "v1", "v1beta1"`;
  return undefined;
}
