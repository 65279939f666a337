/** Kinds that have no protobuf form, asked by clients that would rather have one: the real namespace controller is such a client. */
import { expect, it } from 'vitest';
import { negotiateText } from './negotiation.ts';

const input = (accept: string) => ({ accept, pretty: undefined, userAgent: 'kube-controller-manager' });

it('come as JSON where that is taken, too', () => {
  expect(negotiateText(input('application/vnd.kubernetes.protobuf,application/json'), 'nothing').mediaType).toBe('application/json');
});

it('are refused where nothing else is taken', () => {
  expect(() => negotiateText(input('application/vnd.kubernetes.protobuf'), 'nothing')).toThrow(
    'only the following media types are accepted: application/json, application/yaml',
  );
});
