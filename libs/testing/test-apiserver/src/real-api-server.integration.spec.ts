import { afterAll, describe, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describeApiServerCases, describeContentCases } from './cases/api-server-cases.js';
import type { CaseServer } from './cases/case-server.js';
import { missingProgram, RealApiServer } from './cases/real-api-server.js';

const assets = process.env['KUBEBUILDER_ASSETS'] ?? '';
const missing = missingProgram(assets, (program) => existsSync(path.join(assets, program)));

// What the server in memory answers is only worth something when a real one answers the same.
if (missing !== undefined) {
  describe.skip(`the same cases on a real API server (skipped: ${missing})`, () => {
    it('run there', () => undefined);
  });
} else {
  let running: Promise<RealApiServer> | undefined;
  afterAll(async () => {
    await (await running)?.stop();
  }, 60_000);
  const create = async (): Promise<CaseServer> => {
    running ??= RealApiServer.start(assets);
    const server = await running;
    // One for all groups of cases: it takes seconds to start.
    return { transport: (user) => server.transport(user), stop: () => Promise.resolve() };
  };
  describeApiServerCases('a real API server', create);
  describeContentCases('a real API server', create);
}
