import type { PodCheckpoints } from '@podwright/pod-checkpoint-interface';
import { maskCheckpoint } from '../redact/mask-checkpoint.js';
import type { RecordingTape } from '../tape/recording-tape.js';
import { standIn } from './stand-in.js';

/** What a kubelet finds of the process before it. */
export function recordedCheckpoints(inner: PodCheckpoints, tape: RecordingTape): PodCheckpoints {
  const recorded: Pick<PodCheckpoints, 'read' | 'write' | 'remove'> = {
    read: (podUid, part) => {
      const value = inner.read(podUid, part);
      if (value !== undefined) tape.checkpointRead(podUid, part.name, maskCheckpoint(part.name, value));
      return value;
    },
    write: (podUid, part, value) => {
      tape.checkpointWritten(podUid, part.name, value === undefined ? undefined : maskCheckpoint(part.name, value));
      return inner.write(podUid, part, value);
    },
    remove: (podUid) => {
      tape.checkpointRemoved(podUid);
      return inner.remove(podUid);
    },
  };
  return standIn(inner, (name, value) => (Object.hasOwn(recorded, name) ? Reflect.get(recorded, name) : value));
}
