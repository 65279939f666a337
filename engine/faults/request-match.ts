/** Which requests a fault of the API server is about: the parameters that say it, and the words for them. */
import type { ParameterTable } from '../api/sim/v1alpha1/fault-type.ts';
import type { FaultParameters } from './fault.ts';

export const matchParameters: { readonly [name: string]: ParameterTable } = {
  verbs: {
    type: 'list',
    default: [],
    values: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
    description: 'verbs of the requests; none means all',
  },
  resources: { type: 'list', default: [], description: 'plural names such as pods; none means all' },
  user: { type: 'text', default: '', description: "what the user's name begins with, such as system:node:; empty means everybody" },
};

/** `Requests to get or list pods by system:node:… are answered`, `50 % of requests … fail`. */
export function matchWords(parameters: FaultParameters, share = ''): string {
  const verbs = parameters.list('verbs');
  const resources = parameters.list('resources');
  const user = parameters.text('user');
  const what = [
    ...(verbs.length === 0 ? [] : [`to ${verbs.join(' or ')}`]),
    ...(resources.length === 0 ? [] : [verbs.length === 0 ? `for ${resources.join(' or ')}` : resources.join(' or ')]),
    ...(user === '' ? [] : [`by ${user}…`]),
  ].join(' ');
  if (share === '') return `${what === '' ? 'All requests' : `Requests ${what}`} are answered`;
  return `${share} of ${what === '' ? 'all requests' : `requests ${what}`} fail`;
}
