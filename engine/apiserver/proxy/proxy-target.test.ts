import { describe, expect, it } from 'vitest';
import type { Node } from '../../api/core/v1/types.gen.ts';
import { type FindObject, kubeletOf, unheard } from './proxy-target.ts';

function aNode(status: object): Node {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status } as Node;
}

function answerOf(id: string, node: Node | undefined): string {
  const find: FindObject = (resource, name) => (resource === 'nodes' && name === 'n' ? node : undefined);
  try {
    return kubeletOf(id, find);
  } catch (error) {
    return (error as Error).message;
  }
}

const addresses = [
  { type: 'InternalIP', address: '10.0.0.1' },
  { type: 'Hostname', address: 'host' },
];
const plain = aNode({ addresses });
const elsewhere = aNode({ addresses, daemonEndpoints: { kubeletEndpoint: { Port: 99 } } });
const refused = (place: string): string => `error trying to reach service: dial tcp ${place}: connect: connection refused`;

describe('the proxy of a node', () => {
  it.each([
    ['n', plain, 'n'],
    ['n:10250', plain, 'n'],
    ['https:n:10250', plain, 'n'],
    ['n:99', plain, refused('host:99')],
    ['n:99', elsewhere, 'n'],
    ['n:10250', elsewhere, refused('host:10250')],
    ['n:0', plain, refused('host:0')],
    ['n:x', plain, 'error trying to reach service: dial tcp: lookup tcp/x: unknown port'],
    ['a:b:c:d', plain, 'invalid node request "a:b:c:d"'],
    ['odd:n:1', plain, 'invalid node request "odd:n:1"'],
    ['m', plain, 'nodes "m" not found'],
    ['n:99', aNode({ addresses: [{ type: 'Odd', address: '1.2.3.4' }] }), 'no preferred addresses found; known addresses: [{Odd 1.2.3.4}]'],
  ])('%s leads where it says', (id, node, answer) => {
    expect(answerOf(id, node)).toBe(answer);
  });

  it('of which nobody is there is told as one that does not answer', () => {
    expect(unheard(plain).message).toBe('error trying to reach service: dial tcp host:10250: i/o timeout');
    expect(() => unheard(aNode({}))).toThrow('no preferred addresses found; known addresses: []');
  });
});
