// The store in memory.
import { memoryStore } from '../../src/store/memory.js';
import { describeToolStore } from './conformance.js';

describeToolStore('memory:', async () => {
  const store = memoryStore();
  return { open: async () => store, dispose: async () => {} };
});
