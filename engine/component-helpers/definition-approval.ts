/** Who approved a definition in a group of the Kubernetes community. Mirrors apiextensions-apiserver pkg/apihelpers. */
import { goQuote } from '../apimachinery/quote.ts';
import { parseUrl, UrlError } from '../cel/libraries/urls.ts';

export const approvalAnnotation = 'api-approved.kubernetes.io';

export interface Approval {
  readonly state: 'missing' | 'bypassed' | 'approved' | 'invalid';
  /** In upstream's words. */
  readonly reason: string;
}

/** Whether definitions of the group need approval. */
export function isProtectedGroup(group: string): boolean {
  return /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
}

export function approvalOf(annotations: { readonly [name: string]: string } | undefined): Approval {
  const text = annotations?.[approvalAnnotation] ?? '';
  const wanted = `protected groups must have approval annotation ${goQuote(approvalAnnotation)}`;
  const more = 'see https://github.com/kubernetes/enhancements/pull/1111';
  if (text === '') return { state: 'missing', reason: `${wanted}, ${more}` };
  if (text.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${goQuote(text)}` };
  if (isWholeUrl(text)) return { state: 'approved', reason: `approved in ${text}` };
  return { state: 'invalid', reason: `${wanted} with either a URL or a reason starting with "unapproved", ${more}` };
}

function isWholeUrl(text: string): boolean {
  try {
    const { host, scheme } = parseUrl(text);
    return host !== '' && scheme !== '';
  } catch (error) {
    if (error instanceof UrlError) return false;
    throw error;
  }
}
