import { describe } from 'vitest';
import { createStore } from './memory-store.ts';
import { storeRules } from './testing/store-rules.contract.ts';
import { storeContract } from './testing/store.contract.ts';

describe('the store in memory', () => {
  storeContract((stamp) => createStore<string>(stamp));
  storeRules(<V>() => createStore<V>());
});
