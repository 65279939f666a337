import { describe, expect, it } from 'vitest';
import type { HPAScalingRules } from '../../api/autoscaling/v2/types.gen.ts';
import { decide, type Memory, rememberScale, type Rules, type Wish } from './behavior.ts';

const nowMs = 1_000_000_000;
const defaults: Rules = {
  up: {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  },
  down: { stabilizationWindowSeconds: 300, selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
};

function memory(more: Partial<Memory> = {}): Memory {
  return { recommendations: [], ups: [], downs: [], ...more };
}

function wish(current: number, wanted: number, more: Partial<Wish> = {}): Wish {
  return { current, wanted, min: 1, max: 100, nowMs, downscaleStabilizationMs: 300_000, ...more };
}

function rules(more: { readonly up?: Partial<HPAScalingRules>; readonly down?: Partial<HPAScalingRules> }): Rules {
  return { up: { ...defaults.up, ...more.up }, down: { ...defaults.down, ...more.down } };
}

describe('without behavior', () => {
  it.each([
    ['goes to what is wanted', wish(5, 7), 7, 'DesiredWithinRange', false],
    ['at most doubles', wish(5, 30), 10, 'ScaleUpLimit', true],
    ['may go to four at once', wish(1, 30), 4, 'ScaleUpLimit', true],
    ['stops at the most', wish(5, 30, { max: 8 }), 8, 'TooManyReplicas', true],
    ['stops at the least', wish(5, 1, { min: 3 }), 3, 'TooFewReplicas', true],
  ])('%s', (_name, given, replicas, reason, isLimited) => {
    const found = decide(memory(), undefined, given);
    expect([found.replicas, found.limited.reason, found.limited.is]).toEqual([replicas, reason, isLimited]);
  });

  it('keeps the highest recommendation of the window, and no older one', () => {
    const recommendations = [
      { replicas: 9, atMs: nowMs - 300_001 },
      { replicas: 6, atMs: nowMs - 299_000 },
    ];
    const held = memory({ recommendations });
    const found = decide(held, undefined, wish(8, 3));
    expect(found.replicas).toBe(6);
    expect(found.ableToScale.reason).toBe('ScaleDownStabilized');
    expect(held.recommendations).toEqual([
      { replicas: 3, atMs: nowMs },
      { replicas: 6, atMs: nowMs - 299_000 },
    ]);
  });
});

describe('with behavior', () => {
  it.each([
    ['adds four pods or all again', defaults, wish(3, 50), memory(), 7, 'ScaleUpLimit'],
    ['doubles what is many', defaults, wish(10, 50), memory(), 20, 'ScaleUpLimit'],
    ['counts what was added in the period', defaults, wish(7, 50), memory({ ups: [{ change: 4, atMs: nowMs - 10_000 }] }), 7, 'ScaleUpLimit'],
    ['takes the smaller change', rules({ up: { selectPolicy: 'Min' } }), wish(10, 50), memory(), 14, 'ScaleUpLimit'],
    ['does nothing where it is disabled', rules({ up: { selectPolicy: 'Disabled' } }), wish(10, 50), memory(), 10, 'ScaleUpLimit'],
    [
      'rounds a small percentage up',
      rules({ up: { policies: [{ type: 'Percent', value: 1, periodSeconds: 60 }] } }),
      wish(3, 9),
      memory(),
      4,
      'ScaleUpLimit',
    ],
    [
      'takes away as the policy says',
      rules({ down: { policies: [{ type: 'Pods', value: 2, periodSeconds: 60 }] } }),
      wish(10, 1),
      memory(),
      8,
      'ScaleDownLimit',
    ],
    [
      'takes away no more in the period',
      rules({ down: { policies: [{ type: 'Pods', value: 2, periodSeconds: 60 }] } }),
      wish(8, 1),
      memory({ downs: [{ change: 2, atMs: nowMs - 59_000 }] }),
      8,
      'ScaleDownLimit',
    ],
    [
      'forgets what is older than the period',
      rules({ down: { policies: [{ type: 'Pods', value: 2, periodSeconds: 60 }] } }),
      wish(8, 1),
      memory({ downs: [{ change: 2, atMs: nowMs - 60_000 }] }),
      6,
      'ScaleDownLimit',
    ],
  ] as const)('%s', (_name, given, asked, held, replicas, reason) => {
    const found = decide(held, given, asked);
    expect([found.replicas, found.limited.reason, found.limited.is]).toEqual([replicas, reason, true]);
  });

  it('waits for the lowest recommendation where scaling up is stabilized', () => {
    const held = memory({ recommendations: [{ replicas: 4, atMs: nowMs - 20_000 }] });
    const found = decide(held, rules({ up: { stabilizationWindowSeconds: 60 } }), wish(3, 9));
    expect([found.replicas, found.ableToScale.reason]).toEqual([4, 'ScaleUpStabilized']);
  });

  it('remembers one event for each scale and reuses the place of those too old', () => {
    const held = memory({ ups: [{ change: 1, atMs: nowMs - 15_001 }] });
    rememberScale(held, defaults, 3, 7, nowMs);
    rememberScale(held, defaults, 7, 2, nowMs);
    expect(held).toEqual(memory({ ups: [{ change: 4, atMs: nowMs }], downs: [{ change: 5, atMs: nowMs }] }));
  });
});
