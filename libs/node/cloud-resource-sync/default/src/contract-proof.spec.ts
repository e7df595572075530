import type { CloudResourceSync } from '@podwright/cloud-resource-sync-interface';
import {
  describeCloudResourceSyncContract,
  type CloudResourceSyncHarness,
} from '@podwright/cloud-resource-sync-interface/contract';
import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import { createContractHarness } from './fixtures/contract-harness.js';

type Broken = (good: CloudResourceSyncHarness) => Partial<CloudResourceSyncHarness>;
type Asking = CloudResourceSync['nodeAddresses'];

const broken = (replaced: (good: CloudResourceSync) => Partial<CloudResourceSync>): Broken =>
  breaksIn('cloudResourceSync', replaced);
const answering = (replaced: (ask: Asking) => Asking): Broken =>
  broken((good) => ({ nodeAddresses: replaced((signal) => good.nodeAddresses(signal)) }));
/** One that answers all but the first question in another way. */
const later = (again: Asking): Broken =>
  answering((ask) => {
    let asked = 0;
    return (signal) => (asked++ === 0 ? ask(signal) : again(signal));
  });
const refusing = (change: (error: unknown) => Error): Broken =>
  answering((ask) => (signal) => ask(signal).catch((error: unknown) => Promise.reject(change(error))));

const answersNever: Asking = () => new Promise(() => undefined);
const answersNothing: Asking = () => Promise.resolve([]);
const isInitialized = broken(() => ({ initialized: () => true }));

describeContractProof(
  'CloudResourceSync',
  (create) => describeCloudResourceSyncContract('a broken CloudResourceSync', create),
  createContractHarness,
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('cloudResourceSync'),
      'a node that is not there is initialized': isInitialized,
    },
    'waits for the addresses of the provider, and then has them at once': {
      'it gives those that the node has without the provider': answering(() => async () => [
        { type: 'Hostname', address: 'n1' },
      ]),
      'it never answers': answering(() => answersNever),
      'it answers with some of them': answering((ask) => async (signal) => (await ask(signal)).slice(1)),
      'it answers only once': later(answersNever),
      'it answers with nothing when asked again': later(answersNothing),
      'a tainted node is initialized': isInitialized,
      'no node is ever initialized': broken(() => ({ initialized: () => false })),
    },
    'gives up in the end, says what to look at, and can be asked again': {
      'it never gives up': answering(() => answersNever),
      'its error has another code': refusing((error) => new KubeletError(String(error), { code: 'internal' })),
      'its error does not help': refusing(() => new KubeletError('no addresses', { code: 'unavailable' })),
      'it does not answer again': later(() => Promise.reject(new Error('gave up before'))),
      'it answers with nothing when asked again': later(answersNothing),
    },
    'ends the wait with the signal, and with its own stop': {
      'it does not look at the signal': answering((ask) => () => ask(new AbortController().signal)),
      'it gives another reason than the signal': refusing(() => new Error('cancelled')),
      'those who wait do not learn of the stop': broken(() => ({ stop: () => Promise.resolve() })),
      'those who wait get nothing at the stop': later(answersNothing),
    },
  },
);
