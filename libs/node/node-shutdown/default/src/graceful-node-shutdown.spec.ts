import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createFakeLogind } from './fixtures/fake-logind.js';
import { createShutdownHarness } from './fixtures/shutdown-harness.js';

describe('GracefulNodeShutdown', () => {
  it('starts without what a killed kubelet left of writing its record and the file of logind', async () => {
    const logind = await createFakeLogind(30_000);
    for (const name of [`.graceful_node_shutdown_state.12-0`, `.99-kubelet.conf.12-7`, `.other.12-0`])
      await writeFile(path.join(logind.directory, name), 'half');
    const { manager } = createShutdownHarness(logind, []);
    await manager.start();
    expect(await readdir(logind.directory)).toEqual([`.other.12-0`]);
    await manager.stop();
    await logind.close();
  });
});
