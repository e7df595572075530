import type { Fault, FaultMatch } from '@podwright/test-apiserver';
import type { Draw } from './draw.js';
import type { StoryAct } from './story.js';

const node = { user: 'system:node:node' };

/** One thing that goes wrong between the kubelet and the API server. */
export function writeApiFault(draw: Draw, forMs: number, times: number): StoryAct {
  const what = draw.between(0, 9);
  if (what === 0) return { act: 'api-away', forMs };
  if (what === 1) return { act: 'compact' };
  if (what < 5) return { act: 'watches', become: draw.pick(['cut', 'ended', 'silent', 'doubled'] as const) };
  const fault = draw.pick<Fault>([
    { type: 'status', status: draw.pick([409, 500, 503]) },
    { type: 'status', status: 429, retryAfterSeconds: draw.pick([1, 5, 30]) },
    { type: 'status', status: 410 },
    { type: 'status', status: 500, done: true },
    { type: 'drop', done: draw.oneIn(2) },
    { type: 'hang', done: draw.oneIn(2) },
    { type: 'delay', delayMs: forMs },
    { type: 'late', delayMs: forMs },
    { type: 'twice' },
    { type: 'garbage' },
    { type: 'cut', afterBytes: draw.between(0, 200) },
  ]);
  return { act: 'api-fault', fault, match: { ...node, ...matchFor(fault, draw) }, times };
}

function matchFor({ type }: Fault, draw: Draw): FaultMatch {
  // A server that answers 200 to a deletion and does not delete misleads every kubelet.
  if (type === 'garbage') return { verb: draw.pick(['list', 'get', 'watch'] as const) };
  // Patches of a status name no version, so one that comes late undoes a newer one, whoever sends them.
  if (type === 'late') return { verb: draw.pick(['create', 'delete'] as const) };
  return draw.pick<FaultMatch>([{}, { resource: 'pods' }, { verb: 'patch' }, { verb: 'delete' }, { verb: 'list' }]);
}
