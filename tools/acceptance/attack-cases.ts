import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Attack } from '../attacks/attack.js';
import { startTarget } from '../attacks/attack-bed.js';
import { callers, type AttackTarget } from '../attacks/attack-target.js';
import { readersThatRun, withoutCredentials } from '../attacks/cases/credential-cases.js';
import { logTraversal } from '../attacks/cases/file-request-cases.js';
import { streamRedirect } from '../attacks/cases/runtime-answer-cases.js';
import { strayMessages } from '../attacks/cases/runtime-path-cases.js';
import { subPathLinks } from '../attacks/cases/volume-cases.js';
import { LyingRuntime } from '../attacks/lying-runtime.js';
import { MemoryClusterServer } from './cluster-server.js';
import type { TestLab } from './test-lab.js';

/** The attacks that take a second or two, each on another defence. `npm run attacks` has all of them. */
const attacks: readonly Attack[] = [
  ...[withoutCredentials, readersThatRun, logTraversal, subPathLinks, streamRedirect, strayMessages],
];

/** A node that is attacked, on the lab of the enclosing block. */
export function describeAttacks(bed: () => TestLab): void {
  describe('attacks', () => {
    let server: MemoryClusterServer;
    let runtime: LyingRuntime;
    let target: AttackTarget;
    beforeAll(async () => {
      server = await MemoryClusterServer.start(callers);
      runtime = await LyingRuntime.before(bed().runtime.client);
      target = await startTarget(bed(), { server, runtime, ours: true, weakened: false });
      await target.victim();
    });
    afterAll(async () => {
      await target?.node.stop();
      await bed().stopNodes();
      await runtime?.close();
      await server?.stop();
    });

    it.each(attacks)('$name: it must not be that $mustNot', async (attack) => {
      expect(await attack.run(target)).toEqual([]);
      expect(target.node.kubelet.isRunning).toBe(true);
    });
  });
}
