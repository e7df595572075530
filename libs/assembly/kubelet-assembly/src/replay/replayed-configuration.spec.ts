import { describe, expect, it } from '@jest/globals';
import type { RecordingLine } from '@podwright/flight-recorder-interface';
import { replayedGates } from './replayed-configuration.js';

describe('the gates of a replay', () => {
  const events = { t: 'open', stream: 1, seam: 'runtime', method: 'getContainerEvents', key: '{}', at: 0, tookMs: 1 };
  const list = { t: 'call', seam: 'runtime', method: 'listContainers', key: '{}', at: 0, tookMs: 1 };

  it.each<[string, Record<string, boolean>, unknown[], object[], Record<string, boolean>]>([
    ['none set, events asked for', {}, [list, events], [], { EventedPLEG: true }],
    ['none set, no events asked for', {}, [list], [], { EventedPLEG: false }],
    [
      'one set that differs',
      { EventedPLEG: true, MemoryQoS: true },
      [list],
      [],
      { EventedPLEG: true, MemoryQoS: true },
    ],
    ['an assembly file names the generic pleg', {}, [events], [{ replace: '@podwright/pleg', with: 'x' }], {}],
  ])('%s: they are those of the recorded kubelet', (_name, given, lines, changes, gates) => {
    const entries = changes as Record<string, unknown>[];
    expect(replayedGates(given, lines as RecordingLine[], entries)).toEqual(gates);
  });
});
