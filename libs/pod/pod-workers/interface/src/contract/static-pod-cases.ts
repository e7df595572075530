import { describe, expect, it } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import { holdFirst, type SetUpWorkers } from './contract-workers.js';
import { makePod } from './pod-fixtures.js';

export function staticPodCases(setUp: SetUpWorkers): void {
  describe('static pods', () => {
    const version = (uid: string): Pod => makePod(uid, { name: 'web', fromFile: true });

    it('start one at a time per full name, in order of arrival', async () => {
      const { workers, settle, environment, names } = await setUp();
      const door = holdFirst(environment, 'terminated');
      workers.updatePod({ type: 'create', pod: version('v1') });
      await settle();
      workers.updatePod({ type: 'kill', pod: version('v1') });
      for (const uid of ['v2', 'v3']) workers.updatePod({ type: 'create', pod: version(uid) });
      await settle();
      expect([names('v1'), names('v2'), names('v3')]).toEqual([['sync', 'terminating', 'terminated'], [], []]);
      door.open({ terminal: false });
      await environment.clock.advance(20_000);
      for (const uid of ['v3', 'v2', 'v3']) {
        workers.updatePod({ type: 'sync', pod: version(uid) }); // as the sync loop does when the work queue fires
        await settle();
      }
      expect(names('v3')).toEqual([]);
      expect(names('v2').length).toBeGreaterThan(0);
    });

    it('that end before they started are finished without any sync, and do not hold up others', async () => {
      const { workers, settle, environment, names, lifecycle } = await setUp();
      let completed = 0;
      const door = holdFirst(environment, 'terminating');
      workers.updatePod({ type: 'create', pod: version('v1') });
      await settle();
      workers.updatePod({ type: 'kill', pod: version('v1') });
      for (const uid of ['v2', 'v3']) workers.updatePod({ type: 'create', pod: version(uid) });
      await settle();
      workers.updatePod({ type: 'kill', pod: version('v2'), kill: { onCompleted: () => completed++ } });
      await settle();
      expect([names('v2'), lifecycle.isFinished('v2'), completed]).toEqual([[], true, 1]);
      door.open({ terminal: false });
      await environment.clock.advance(20_000);
      workers.updatePod({ type: 'sync', pod: version('v3') });
      await settle();
      expect(names('v3').length).toBeGreaterThan(0);
    });

    it('that never started are forgotten at once when nobody wants them', async () => {
      const { workers, settle, environment, names } = await setUp();
      const door = holdFirst(environment, 'sync');
      workers.updatePod({ type: 'create', pod: version('v1') });
      workers.updatePod({ type: 'create', pod: version('v2') });
      await settle();
      expect([...workers.syncKnownPods([version('v1')]).keys()]).toEqual(['v1']);
      door.open({ terminal: false });
      await settle();
      expect(names('v2')).toEqual([]);
    });
  });
}
