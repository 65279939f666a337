/** An identity as the reviews of package authentication show it. */
import type { UserInfo } from '../../../api/authentication/v1/types.gen.ts';
import type { Identity } from '../../../contracts/request.ts';

export function userInfo({ name, uid, groups, extra }: Identity): UserInfo {
  return { ...(name === '' ? {} : { username: name }), ...(uid === undefined ? {} : { uid }), groups, ...(extra === undefined ? {} : { extra }) };
}
