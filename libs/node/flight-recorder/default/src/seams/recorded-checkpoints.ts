import type { PodCheckpointPart, PodCheckpoints } from '@podwright/pod-checkpoint-interface';
import { maskCheckpoint } from '../redact/mask-checkpoint.js';
import type { RecordingTape } from '../tape/recording-tape.js';
import { standIn } from './stand-in.js';

export const checkpointKey = (podUid: string, part: string): string => `${podUid} ${part}`;

/** Records what the kubelet before has left: each part when it is first read, unless this one has written it. */
export function recordedCheckpoints(inner: PodCheckpoints, tape: RecordingTape): PodCheckpoints {
  const known = new Map<string, Set<string>>();
  const isFirst = (podUid: string, part: string): boolean => {
    const parts = known.get(podUid) ?? new Set();
    known.set(podUid, parts);
    return parts.size < parts.add(part).size;
  };
  const read = <T>(podUid: string, part: PodCheckpointPart<T>): T | undefined => {
    if (!isFirst(podUid, part.name)) return inner.read(podUid, part);
    const decode = (json: unknown): T | undefined => {
      const begun = tape.begin({ seam: 'checkpoint', method: 'read', key: checkpointKey(podUid, part.name) });
      tape.answered(begun, maskCheckpoint(part.name, json));
      return part.decode(json);
    };
    return inner.read(podUid, { ...part, decode });
  };
  const write: PodCheckpoints['write'] = (podUid, part, value) => {
    isFirst(podUid, part.name);
    return inner.write(podUid, part, value);
  };
  const remove: PodCheckpoints['remove'] = (podUid) => {
    known.delete(podUid);
    return inner.remove(podUid);
  };
  const own: Readonly<Record<PropertyKey, unknown>> = { read, write, remove };
  return standIn(inner, (name, value) => own[name] ?? value);
}
