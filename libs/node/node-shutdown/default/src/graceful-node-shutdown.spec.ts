import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { MetricsRegistry } from '@podwright/metrics';
import { createFakeLogind } from './fixtures/fake-logind.js';
import { createShutdownHarness } from './fixtures/shutdown-harness.js';

async function shownTimes(metrics: MetricsRegistry): Promise<readonly string[]> {
  const page = await metrics.render();
  const shown = (which: string): string | undefined =>
    new RegExp(`^kubelet_graceful_shutdown_${which}_time_seconds (\\S+)$`, 'm').exec(page)?.[1];
  return ['start', 'end'].map((which) => `${which} ${shown(which)}`);
}

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
  it('shows in its metrics, in whole seconds, when an earlier kubelet began and ended a shutdown', async () => {
    const logind = await createFakeLogind(30_000);
    const text = '{"startTime":"2026-11-30T13:15:06.761938739Z","endTime":"2026-11-30T14:15:20.4+01:00"}';
    await writeFile(path.join(logind.directory, 'graceful_node_shutdown_state'), text);
    const { manager, metrics } = createShutdownHarness(logind, []);
    await manager.start();
    expect(await shownTimes(metrics)).toEqual(['start 1.796044506e+09', 'end 1.79604452e+09']);
    await manager.stop();
    await logind.close();
  });

  it.each([
    ['{"startTime":"2026-11-30T13:15:06Z","endTime":"0001-01-01T00:00:00Z"}', ['start 1.796044506e+09', 'end 0'], 0],
    ['half', ['start 0', 'end 0'], 1],
  ])('starts with the record %s', async (text, times, complaints) => {
    const logind = await createFakeLogind(30_000);
    await writeFile(path.join(logind.directory, 'graceful_node_shutdown_state'), text);
    const { manager, metrics, logger } = createShutdownHarness(logind, []);
    await manager.start();
    expect(await shownTimes(metrics)).toEqual(times);
    expect(logger.messages('error')).toEqual(Array(complaints).fill('Failed to load graceful shutdown state'));
    await manager.stop();
    await logind.close();
  });
});
