import type { PodCheckpoints } from '@podwright/pod-checkpoint-interface';
import type { RecordingLine } from '@podwright/flight-recorder-interface';
import { standIn } from '../seams/stand-in.js';

/** The checkpoints that the recorded kubelet has found, below those that the replayed one writes. */
export function replayedCheckpoints(inner: PodCheckpoints, lines: readonly RecordingLine[]): PodCheckpoints {
  const found = new Map<string, Map<string, unknown>>();
  for (const line of lines) {
    if (line.t !== 'checkpoint') continue;
    const parts = found.get(line.podUid) ?? new Map<string, unknown>();
    found.set(line.podUid, parts);
    if (!parts.has(line.part)) parts.set(line.part, line.value);
  }
  const replayed: Pick<PodCheckpoints, 'read' | 'write' | 'remove' | 'podUids'> = {
    read: (podUid, part) => {
      const value = found.get(podUid)?.get(part.name);
      return value === undefined ? inner.read(podUid, part) : part.decode(structuredClone(value));
    },
    write: (podUid, part, value) => {
      found.get(podUid)?.delete(part.name);
      return inner.write(podUid, part, value);
    },
    remove: (podUid) => {
      found.delete(podUid);
      return inner.remove(podUid);
    },
    podUids: () => [...new Set([...inner.podUids(), ...found.keys()])],
  };
  return standIn(inner, (name, value) => (Object.hasOwn(replayed, name) ? Reflect.get(replayed, name) : value));
}
