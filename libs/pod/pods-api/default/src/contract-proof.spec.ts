import { afterEach } from '@jest/globals';
import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import { describePodsApiContract } from '@podwright/pods-api-interface/contract';
import { cleanHarnesses, createHarness, type GrpcPodsApiHarness } from './fixtures/pods-api-harness.js';

afterEach(cleanHarnesses);

type Broken = (good: GrpcPodsApiHarness) => Partial<GrpcPodsApiHarness>;

// What it serves comes from what it is given, which is easier to break than its answers.
const pods =
  (change: (pods: readonly Pod[]) => readonly Pod[]): Broken =>
  ({ setPods }) => ({ setPods: (given) => setPods(change(given)) });
const withoutStatus: Broken = () => ({ setStatus: () => undefined });
const stray: Pod = { metadata: { name: 'x', namespace: 'x', uid: 'x' }, spec: { containers: [] } };
const withoutSpec = pods((given) => given.map((pod) => ({ ...pod, spec: { containers: [] } })));

describeContractProof('PodsApi', (create) => describePodsApiContract('a broken PodsApi', create), createHarness, {
  'can be stopped before it was started, and twice': {
    'it is healthy all the time': breaksIn('podsApi', () => ({ healthy: () => ({ ok: true }) })),
    'it is never healthy': breaksIn('podsApi', () => ({ healthy: () => ({ ok: false, reason: 'not started' }) })),
    'a second stop is refused': refusesSecondStop('podsApi'),
  },
  'takes the socket over that a former one left': {
    'it does not start': breaksIn('successor', () => ({ start: () => Promise.reject(new Error('EADDRINUSE')) })),
    'it knows a pod': ({ setPods }) => {
      setPods([stray]);
      return {};
    },
  },
  'lists pods with their newest statuses, sorted by UID': {
    'a pod is missing': pods((given) => given.slice(1)),
    'the status is the old one': withoutStatus,
    'half of the pod is missing': withoutSpec,
    'there is a stray pod': pods((given) => [...given, stray]),
  },
  'knows a pod by its UID, and says which one it does not know': {
    'it knows none': pods(() => []),
    'the status is missing': withoutStatus,
    'it knows every pod': pods((given) => [...given, { ...stray, metadata: { ...stray.metadata, uid: 'uid-b' } }]),
  },
  'tells watchers of all pods first, then of each change, and of the end with the name alone': {
    'the first pods are missing': pods((given) => given.slice(0, 1)),
    'statuses are missing': withoutSpec,
    'every change is an end': ({ setStatus }) => ({ setStatus: (uid, status) => setStatus(uid, status, true) }),
    'an end is a change': ({ setStatus }) => ({ setStatus: (uid, status) => setStatus(uid, status) }),
  },
  'ends watches when it stops': {
    'it does not stop': breaksIn('podsApi', () => ({ stop: () => Promise.resolve() })),
  },
});
