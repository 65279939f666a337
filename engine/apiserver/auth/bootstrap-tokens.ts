/** Tokens by which machines join: Secrets of kube-system. Mirrors plugin/pkg/auth/authenticator/token/bootstrap and cluster-bootstrap token. */
import type { Secret } from '../../api/core/v1/types.gen.ts';
import { parseTime } from '../../apimachinery/time.ts';
import { decodeBase64Text } from '../../base/base64.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { Identity } from '../../contracts/request.ts';
import type { Authenticated } from '../../contracts/tokens.ts';
import { sharedAudiences } from './authenticator.ts';
import type { TokenSurroundings } from './service-account-tokens.ts';

const secretType = 'bootstrap.kubernetes.io/token';
const tokenForm = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const groupForm = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** Upstream never says what is wrong with one that is of the right form. */
export function checkBootstrapToken(token: string, wanted: readonly string[] | undefined, around: TokenSurroundings): Authenticated<Identity> {
  const [, id = '', secret = ''] = tokenForm.exec(token) ?? [];
  const audiences = sharedAudiences(around.apiAudiences, wanted ?? around.apiAudiences);
  if (id === '' || (wanted !== undefined && audiences.length === 0)) return undefined;
  const found = around.lookup('', 'secrets', 'kube-system', `bootstrap-token-${id}`) as Secret | undefined;
  if (found === undefined || found.metadata.deletionTimestamp !== undefined || found.type !== secretType) return undefined;
  const valueOf = (key: string): string => decodeBase64Text(getOwn(found.data ?? {}, key) ?? '');
  if (valueOf('token-secret') !== secret || valueOf('token-id') !== id || hasExpired(valueOf('expiration'), around.nowMs)) return undefined;
  if (valueOf('usage-bootstrap-authentication') !== 'true') return undefined;
  const groups = groupsOf(valueOf('auth-extra-groups'));
  return groups === undefined ? undefined : { identity: { name: `system:bootstrap:${id}`, groups }, audiences };
}

/** What is no time is over. */
function hasExpired(text: string, nowMs: number): boolean {
  if (text === '') return false;
  const ms = parseTime(text);
  return ms === undefined || ms <= nowMs;
}

function groupsOf(text: string): readonly string[] | undefined {
  const extra = text === '' ? [] : text.split(',');
  return extra.every((group) => groupForm.test(group)) ? [...new Set(['system:bootstrappers', ...extra])].sort() : undefined;
}
