import { createSeededRandom, VirtualClock } from '@podwright/time';
import { describeApiServerCases, describeContentCases } from './cases/api-server-cases.js';
import type { CaseServer } from './cases/case-server.js';
import { createTestApiServer } from './test-api-server.js';

const clock = new VirtualClock();

const create = (): Promise<CaseServer> => {
  const server = createTestApiServer({ clock, random: createSeededRandom('cases'), cbor: true });
  return Promise.resolve({
    transport: (user) => server.transport(user),
    stop: () => Promise.resolve(server.stop()),
  });
};

describeApiServerCases('the server in memory', create, clock);
describeContentCases('the server in memory', create, clock);
