/** `agnhost netexec`: what its server answers beside the time and its name. Mirrors test/images/agnhost/netexec. */
import type { RespondingPort, RoutedAnswer } from '../runtime/image-definition.ts';
import type { PodQuestion } from '../../contracts/connect.ts';

const plain = (body: string, status = 200): RoutedAnswer => ({ status, contentType: 'text/plain; charset=utf-8', body });

export function answerNetexec({ path }: PodQuestion, { port, remote }: RespondingPort): RoutedAnswer | undefined {
  const [route = '/', query = ''] = path.split('?', 2);
  const parameters = new URLSearchParams(query);
  switch (route) {
    case '/readyz':
      return plain('ok');
    case '/clientip':
      return plain(remote);
    case '/serverport':
      return plain(String(port));
    case '/echo':
      return echo(parameters.get('msg') ?? '', parameters.get('code') ?? '');
    default:
      return undefined;
  }
}

function echo(message: string, code: string): RoutedAnswer {
  if (code === '') return plain(message);
  if (!/^[+-]?\d+$/.test(code)) return plain(`argument 'code' must be an integer or empty, got ${JSON.stringify(code)}\n`);
  return plain(message, Number(code));
}
