import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { Lease } from '@podwright/kube-types';
import type { NodeLease } from '@podwright/node-lease-interface';
import { describeNodeLeaseContract, type NodeLeaseHarness } from '@podwright/node-lease-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

type Broken = (good: NodeLeaseHarness) => Partial<NodeLeaseHarness>;

const broken = (replaced: (good: NodeLease) => Partial<NodeLease>): Broken => breaksIn('nodeLease', replaced);
const lease =
  (changing: () => (lease: Lease) => Lease): Broken =>
  (good) => {
    const change = changing();
    return {
      lease: async () => {
        const found = await good.lease();
        return found === undefined ? undefined : change(found);
      },
    };
  };
/** One that looks as if it were renewed each `count`th time only. */
const renewedEach = (count: number): Broken =>
  lease(() => {
    let shown: Lease | undefined;
    let seen = 0;
    return (found) => (shown = shown === undefined || ++seen % count === 0 ? found : shown);
  });
const isUnwell = broken(() => ({ healthy: () => ({ ok: false, reason: 'no lease' }) }));
const claimsRenewal = broken((good) => ({ lastRenewedAtMs: () => good.lastRenewedAtMs() ?? 0 }));
const doesNothing = broken(() => ({ start: () => Promise.resolve() }));

describeContractProof(
  'NodeLease',
  (create) => describeNodeLeaseContract('a broken NodeLease', create),
  createContractHarness,
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('nodeLease'),
      'its health cannot be asked for': broken(() => ({
        healthy: () => {
          throw new Error('not started');
        },
      })),
    },
    'creates a lease that the node holds and that goes with its Node': {
      'it creates none': doesNothing,
      'another holds it': lease(() => (found) => ({ ...found, spec: { ...found.spec, holderIdentity: 'n2' } })),
      'it lasts as long as it likes': lease(() => (found) => ({
        ...found,
        spec: { ...found.spec, leaseDurationSeconds: 41 },
      })),
      'it stays without its Node': lease(() => (found) => ({
        ...found,
        metadata: { ...found.metadata, ownerReferences: [] },
      })),
      'it claims a renewal before the first': claimsRenewal,
      'it tells another time than the server has': broken((good) => ({
        lastRenewedAtMs: () => (good.lastRenewedAtMs() === undefined ? undefined : 0),
      })),
      'it is not healthy': isUnwell,
    },
    'renews it several times while it lasts': {
      'it renews each other time': renewedEach(2),
      'it never renews': renewedEach(Infinity),
      'it renews after the stop': broken(() => ({ stop: () => Promise.resolve() })),
    },
    'starts without an API server, says so once the lease has run out, and goes on when the server is back': {
      'the start fails': broken(() => ({ start: () => Promise.reject(new Error('connection refused')) })),
      'it claims a renewal': claimsRenewal,
      'it is always healthy': broken(() => ({ healthy: () => ({ ok: true }) })),
      'it is never healthy': isUnwell,
      'it gives up': ({ setReachable, nodeLease }) => ({
        setReachable: (reachable) => {
          if (reachable) void nodeLease.stop();
          setReachable(reachable);
        },
      }),
    },
    'makes a lease that was deleted again': {
      'it gives up': ({ deleteLease, nodeLease }) => ({
        deleteLease: () => nodeLease.stop().then(deleteLease),
      }),
    },
  },
);
