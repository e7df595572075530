import { createSeededRandom, VirtualClock } from '@podwright/time';
import { describeApiServerCases } from './cases/api-server-cases.js';
import { createTestApiServer } from './test-api-server.js';

const clock = new VirtualClock();

describeApiServerCases(
  'the server in memory',
  () => {
    const server = createTestApiServer({ clock, random: createSeededRandom('cases') });
    return Promise.resolve({
      transport: (user) => server.transport(user),
      stop: () => Promise.resolve(server.stop()),
    });
  },
  clock,
);
