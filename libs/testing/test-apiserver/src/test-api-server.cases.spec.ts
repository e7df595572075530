import { createSeededRandom, VirtualClock } from '@podwright/time';
import { describeApiServerCases } from './cases/api-server-cases.js';
import { createTestApiServer } from './test-api-server.js';

describeApiServerCases('the server in memory', () => {
  const server = createTestApiServer({ clock: new VirtualClock(), random: createSeededRandom('cases') });
  return Promise.resolve({
    transport: (user) => server.transport(user),
    stop: () => Promise.resolve(server.stop()),
  });
});
