/** A cluster of ours, as the recorders ask a real API server. */
import type { TestCluster } from '../../support/cluster.ts';
import { asker } from '../seeds-client.ts';
import type { Asked } from './cases.ts';

export function ownAsker(made: TestCluster): Asked {
  const ask = asker(made);
  return async ({ method, path, body, type, headers = {} }) => {
    const { accept = 'application/json', ...others } = headers;
    const answer = ask(method, path, { headers: others, accept, ...(body === undefined ? {} : { body }), ...(type === undefined ? {} : { type }) });
    return { code: answer.status, warnings: answer.warnings, text: answer.text };
  };
}
