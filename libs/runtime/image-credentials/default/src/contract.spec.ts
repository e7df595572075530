import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { describeImageCredentialsContract } from '@podwright/image-credentials-interface/contract';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import { createKeyringImageCredentials } from './keyring-image-credentials.js';

let rootDir: string;
const home = process.env['HOME'];

beforeAll(async () => {
  rootDir = await mkdtemp(path.join(tmpdir(), 'credentials-'));
  process.env['HOME'] = rootDir; // whoever runs the tests may be logged in somewhere
});
afterAll(async () => {
  if (home === undefined) delete process.env['HOME'];
  else process.env['HOME'] = home;
  await rm(rootDir, { recursive: true });
});

describeImageCredentialsContract('KeyringImageCredentials', async () => {
  const deps = { clock: new VirtualClock(), logger: createMemoryLogger(), metrics: createMetricsRegistry() };
  return { credentials: createKeyringImageCredentials(deps, { rootDir }) };
});
