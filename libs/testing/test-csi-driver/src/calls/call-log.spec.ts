import { describe, expect, it } from '@jest/globals';
import { CallLog } from './call-log.js';

describe('the calls to a driver', () => {
  it('show which of them could change one volume at the same time', () => {
    const calls = new CallLog();
    const endOfStage = calls.begin('NodeStageVolume', 'a', {});
    calls.begin('NodeStageVolume', 'b', {})('OK');
    calls.begin('NodeGetVolumeStats', 'a', {})('OK');
    calls.begin('NodePublishVolume', 'a', {})('OK');
    endOfStage('OK');
    calls.begin('NodeUnpublishVolume', 'a', {})('OK');
    expect(calls.overlaps().map((pair) => pair.map(({ rpc }) => rpc))).toEqual([
      ['NodeStageVolume', 'NodePublishVolume'],
    ]);
  });
});
