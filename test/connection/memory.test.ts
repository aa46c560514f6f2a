// Connections in memory.
import { memoryConnections } from '../../src/connection/memory.js';
import { describeConnectionStore } from './conformance.js';

describeConnectionStore('memory:', async () => {
  const store = memoryConnections();
  return { open: () => store, dispose: async () => {} };
});
