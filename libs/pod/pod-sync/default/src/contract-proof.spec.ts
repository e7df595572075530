import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { ContainerRuntime, KillPodRequest } from '@podwright/container-runtime-interface';
import { breaks, breaksIn, describeContractProof } from '@podwright/contract';
import type { PodStatus } from '@podwright/kube-types';
import type { PodSyncer } from '@podwright/pod-sync-interface';
import { describePodSyncerContract } from '@podwright/pod-sync-interface/contract';
import type { PodSyncerHarness } from '@podwright/pod-sync-interface/contract';
import { createContractHarness } from './fixtures/sync-harness.js';

type Broken = (good: PodSyncerHarness, runtime: ContainerRuntime) => Partial<PodSyncerHarness>;

let rootDir = '';
beforeAll(async () => {
  rootDir = await mkdtemp(path.join(tmpdir(), 'pod-sync-proof-'));
});
afterAll(() => rm(rootDir, { recursive: true }));

const broken =
  (replaced: (good: PodSyncer, runtime: ContainerRuntime) => Partial<PodSyncer>): Broken =>
  (good, runtime) =>
    breaksIn<PodSyncerHarness, 'syncer'>('syncer', (syncer) => replaced(syncer, runtime))(good);
/** It calls the runtime in another way. */
const calling =
  (replaced: (runtime: ContainerRuntime) => Partial<ContainerRuntime>): Broken =>
  (_good, runtime) =>
    createContractHarness({ rootDir, runtime: breaks(runtime, replaced(runtime)) });
const killing = (change: (request: KillPodRequest) => Partial<KillPodRequest>): Broken =>
  calling((runtime) => ({ killPod: (request) => runtime.killPod({ ...request, ...change(request) }) }));
const killsNothing = calling(() => ({ killPod: async () => ({ results: [] }) }));
const showing =
  (change: (status: PodStatus | undefined) => PodStatus | undefined): Broken =>
  ({ statusOf }) => ({ statusOf: (podUid) => change(statusOf(podUid)) });
const showsRunning = showing((status) => status && { ...status, phase: 'Running' });
const showsNothing = showing(() => undefined);
const answers = (terminal: boolean): Broken =>
  broken((good) => ({
    syncPod: async (context, signal) => {
      await good.syncPod(context, signal);
      return { terminal };
    },
  }));
const onKillFailure = (of: RegExp, instead: () => Promise<void>): Broken =>
  broken((good) => ({
    syncTerminatingPod: (context) =>
      good
        .syncTerminatingPod(context)
        .catch((error: Error) => (of.test(error.message) ? instead() : Promise.reject(error))),
  }));

describeContractProof(
  'PodSyncer',
  (create) => describePodSyncerContract('a broken PodSyncer', create),
  async (runtime: ContainerRuntime) => createContractHarness({ rootDir, runtime }),
  {
    'stores a status and hands the pod to the runtime once per sync': {
      'it stores none': showsNothing,
      'it stores another phase': showsRunning,
      'the pod is terminal': answers(true),
      'the runtime does not get it': calling(() => ({ syncPod: async () => ({ results: [] }) })),
      'the runtime gets it twice': calling((runtime) => ({
        syncPod: async (...args) => {
          await runtime.syncPod(...args);
          return runtime.syncPod(...args);
        },
      })),
    },
    'reports a pod that ended with code %i as terminal, and starts nothing': {
      'it is not terminal': answers(false),
      'the phase is another': showsRunning,
      'the runtime gets it': broken((good, runtime) => ({
        syncPod: async (context, signal) => {
          await runtime.syncPod({ ...context, apiStatus: {}, pullSecrets: [], isTerminationRequested: () => false });
          return good.syncPod(context, signal);
        },
      })),
    },
    'rejects with the failures of the runtime sync and the end of the back-off': {
      'it resolves': broken((good) => ({
        syncPod: (context, signal) => good.syncPod(context, signal).catch(() => ({ terminal: false })),
      })),
      'the failures are missing': broken((good) => ({
        syncPod: (context, signal) =>
          good
            .syncPod(context, signal)
            .catch((error: unknown) => Promise.reject(Object.assign(new Error('failed'), { ...(error as object) }))),
      })),
      'the end of the back-off is missing': broken((good) => ({
        syncPod: (context, signal) =>
          good.syncPod(context, signal).catch((error: Error) => Promise.reject(new Error(error.message))),
      })),
    },
    'does not reach the runtime once the signal has aborted': {
      'it overlooks the signal': broken((good) => ({
        syncPod: (context) => good.syncPod(context, new AbortController().signal),
      })),
      'it notices the signal afterwards': broken((good) => ({
        syncPod: async (context, signal) => {
          await good.syncPod(context, new AbortController().signal);
          throw signal.reason;
        },
      })),
      'it resolves': broken(() => ({ syncPod: async () => ({ terminal: false }) })),
    },
    'terminates: kills with the grace period, looks again, and ends with a terminal status': {
      'it kills nothing': killsNothing,
      'it forgets the grace period': killing(() => ({ gracePeriodSeconds: 30 })),
      'it looks first': broken((good, runtime) => ({
        syncTerminatingPod: async (context) => {
          await runtime.getPodStatus({ uid: 'uid-1', name: 'web', namespace: 'default' });
          await good.syncTerminatingPod(context);
        },
      })),
      'the status stays': showsRunning,
    },
    'leaves grace periods to the containers when none is given': {
      'it has one of its own': killing(({ gracePeriodSeconds = 30 }) => ({ gracePeriodSeconds })),
    },
    'stores the overridden status before the kill': {
      'it does not override it': broken((good) => ({
        syncTerminatingPod: ({ overrideStatus: _override, ...context }) => good.syncTerminatingPod(context),
      })),
      'it stores it after the kill': (good, runtime) => {
        let over = false;
        return {
          ...broken((syncer) => ({
            syncTerminatingPod: async (context) => {
              await syncer.syncTerminatingPod(context);
              over = true;
            },
          }))(good, runtime),
          statusOf: (podUid) => (over ? good.statusOf(podUid) : undefined),
        };
      },
    },
    'rejects while the kill fails or something runs on, and works when it is repeated': {
      'it resolves although the kill fails': onKillFailure(/busy/, () => Promise.resolve()),
      'it resolves although something runs on': onKillFailure(/running containers/, () => Promise.resolve()),
      'it does not say why the kill fails': onKillFailure(/busy/, () => Promise.reject(new Error('no'))),
      'it does not say that something runs on': onKillFailure(/running/, () => Promise.reject(new Error('no'))),
      'it rejects for ever': broken((good) => {
        let failure: Promise<void> | undefined;
        return { syncTerminatingPod: (context) => (failure ??= good.syncTerminatingPod(context)) };
      }),
    },
    'kills a pod that only the runtime knows with a grace period of 1 s': {
      'it kills nothing': killsNothing,
      'the grace period is another': killing(() => ({ gracePeriodSeconds: 30 })),
      'it resolves although the kill fails': broken((good) => ({
        syncTerminatingRuntimePod: (pod) => good.syncTerminatingRuntimePod(pod).catch(() => undefined),
      })),
    },
    'leaves a terminated pod with a terminal status, also when it is done twice': {
      'it stores none': showsNothing,
      'the phase is another': showsRunning,
      'it rejects the second time': broken((good) => {
        let rounds = 0;
        return {
          syncTerminatedPod: (...args) =>
            rounds++ === 0 ? good.syncTerminatedPod(...args) : Promise.reject(new Error('done already')),
        };
      }),
    },
  },
);
