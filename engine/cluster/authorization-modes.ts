/** The option `--authorization-mode`. Mirrors pkg/kubeapiserver/options/authorization.go. */
interface Lists {
  list(name: string): readonly string[];
}

export const authorizationModes = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'RBAC', 'Node'] as const;
export type AuthorizationMode = (typeof authorizationModes)[number];

export function modesOf(settings: Lists): readonly AuthorizationMode[] {
  return settings.list('authorization-mode').flatMap((mode) => authorizationModes.find((known) => known === mode) ?? []);
}

/** Whether nodes can join without anybody else's doing. */
export function letsNodesJoin(settings: Lists): boolean {
  const modes = modesOf(settings);
  return modes.includes('AlwaysAllow') || (modes.includes('Node') && modes.includes('RBAC'));
}

/** One line about what is wrong with the options, in upstream's words. */
export function authorizationMistake(textOf: (name: string) => string): string | undefined {
  const modes = textOf('authorization-mode')
    .split(',')
    .map((mode) => mode.trim())
    .filter((mode) => mode !== '');
  if (modes.length === 0) return 'at least one authorization-mode must be passed';
  const policyFile = textOf('authorization-policy-file');
  for (const mode of modes) {
    if (mode === 'Webhook') return 'authorization-mode "Webhook" is not built';
    if (!authorizationModes.some((known) => known === mode)) return `authorization-mode ${JSON.stringify(mode)} is not a valid mode`;
    if (mode === 'ABAC' && policyFile === '') return "authorization-mode ABAC's authorization policy file not passed";
  }
  if (policyFile !== '' && !modes.includes('ABAC')) return 'cannot specify --authorization-policy-file without mode ABAC';
  if (new Set(modes).size < modes.length)
    return `authorization-mode [${modes.map((mode) => JSON.stringify(mode)).join(' ')}] has mode specified more than once`;
  return undefined;
}
