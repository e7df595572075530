import type { PodCheckpoints } from '@podwright/pod-checkpoint-interface';
import { checkpointKey } from '../seams/recorded-checkpoints.js';
import { standIn } from '../seams/stand-in.js';
import type { ReplayedWorld } from './replayed-world.js';

/** Checkpoints that the kubelet before the recorded one has left, below those of the replayed one. */
export function replayedCheckpoints(inner: PodCheckpoints, { checkpoints }: ReplayedWorld): PodCheckpoints {
  const left = new Map(checkpoints);
  const read: PodCheckpoints['read'] = (podUid, part) => {
    const json = left.get(checkpointKey(podUid, part.name));
    return json === undefined ? inner.read(podUid, part) : part.decode(json);
  };
  const write: PodCheckpoints['write'] = (podUid, part, value) => {
    left.delete(checkpointKey(podUid, part.name));
    return inner.write(podUid, part, value);
  };
  const isOf = (podUid: string, key: string): boolean => key.startsWith(checkpointKey(podUid, ''));
  const remove: PodCheckpoints['remove'] = (podUid) => {
    for (const key of [...left.keys()]) if (isOf(podUid, key)) left.delete(key);
    return inner.remove(podUid);
  };
  const podUids: PodCheckpoints['podUids'] = () => [
    ...new Set([...inner.podUids(), ...[...left.keys()].map((key) => key.slice(0, key.indexOf(' ')))]),
  ];
  const own: Readonly<Record<PropertyKey, unknown>> = { read, write, remove, podUids };
  return standIn(inner, (name, value) => own[name] ?? value);
}
