import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { ContainerStatus, PodStatus } from '@podwright/kube-types';
import type { StatusManager } from '@podwright/status-interface';
import { describeStatusManagerContract } from '@podwright/status-interface/contract';
import { harness, type StatusHarness } from './fixtures/status-harness.js';

type Broken = (good: StatusHarness) => Partial<StatusHarness>;

const broken = (replaced: (good: StatusManager) => Partial<StatusManager>): Broken => breaksIn('manager', replaced);
/** The next manager is broken. `before` is the status of the pod when the process was killed. */
const restarted =
  (replaced: (next: StatusManager, before: PodStatus | undefined) => Partial<StatusManager>): Broken =>
  ({ manager, restart }) => ({
    restart: async () => {
      const before = manager.getPodStatus('u1');
      const next = await restart();
      return breaks(next, replaced(next, before));
    },
  });
const reporting =
  (change: (status: PodStatus) => PodStatus | undefined) =>
  (good: StatusManager): Partial<StatusManager> => ({
    getPodStatus: (podUid) => {
      const status = good.getPodStatus(podUid);
      return status && change(status);
    },
  });
const withContainer = (part: Partial<ContainerStatus>) =>
  reporting((status) => ({
    ...status,
    containerStatuses: status.containerStatuses?.map((each) => ({ ...each, ...part })) ?? [],
  }));
/** Each status that is asked for differs from the one before in something. */
const reportingAnew = (change: (status: PodStatus, time: string) => PodStatus): Broken =>
  broken((good) => {
    let asked = 0;
    return reporting((status) => change(status, `2026-01-01T00:00:0${asked++}Z`))(good);
  });
const acceptsAll = (good: StatusManager): Partial<StatusManager> => {
  let last: PodStatus | undefined;
  return {
    setPodStatus: (pod, status) => {
      good.setPodStatus(pod, status);
      last = status;
    },
    getPodStatus: () => last,
  };
};
const withoutPhase = reporting(({ phase: _phase, ...status }) => status);
const forgets = reporting(() => undefined);
const overlooksReadiness = (): Partial<StatusManager> => ({ setContainerReadiness: () => undefined });
const forgetsNothing = broken(() => ({ removeOrphanedStatuses: () => undefined }));

describeContractProof(
  'StatusManager',
  (create) => describeStatusManagerContract('a broken StatusManager', create),
  async () => harness(),
  {
    'keeps the newest status and tells of each change once': {
      'it has one before the first': broken((good) => ({ getPodStatus: (podUid) => good.getPodStatus(podUid) ?? {} })),
      'it keeps none': broken(forgets),
      'it keeps the first': broken((good) => ({
        setPodStatus: (pod, status) => (good.getPodStatus('u1') ? undefined : good.setPodStatus(pod, status)),
      })),
      'it tells of nothing': broken(() => ({ watch: () => () => undefined })),
      'it tells of the same status again': broken((good) => {
        let tell: Parameters<StatusManager['watch']>[0] = () => undefined;
        return {
          setPodStatus: (_pod, status) => {
            good.setPodStatus(_pod, status);
            tell('u1', status, { pod: _pod, ended: false });
          },
          watch: (listener) => {
            tell = listener;
            return () => undefined;
          },
          getPodStatus: (podUid) => good.getPodStatus(podUid),
        };
      }),
      'a second stop is refused': refusesSecondStop('manager'),
    },
    'stamps a start time once': {
      'it stamps none': broken(reporting(({ startTime: _time, ...status }) => status)),
      'it stamps each status': reportingAnew((status, startTime) => ({ ...status, startTime })),
    },
    'moves the transition time only when the value of a condition changes': {
      'there is none': broken(
        reporting((status) => ({
          ...status,
          conditions: status.conditions?.map(({ type, status: value }) => ({ type, status: value })) ?? [],
        })),
      ),
      'it moves with each status': reportingAnew((status, lastTransitionTime) => ({
        ...status,
        conditions: status.conditions?.map((each) => ({ ...each, lastTransitionTime })) ?? [],
      })),
      'it never moves': broken(
        reporting((status) => ({
          ...status,
          conditions: status.conditions?.map((each) => ({ ...each, lastTransitionTime: '2026-01-01T00:00:00Z' })) ?? [],
        })),
      ),
    },
    'refuses to revive a terminated container that its policy does not restart': {
      'it accepts every status': broken(acceptsAll),
    },
    'makes the readiness conditions anew when a container becomes ready': {
      'the result is lost': broken(overlooksReadiness),
      'the container is not ready': broken(withContainer({ ready: false })),
      'the conditions stay': broken((good) => {
        let before: PodStatus | undefined;
        return {
          setContainerReadiness: (...args) => {
            before = good.getPodStatus('u1');
            good.setContainerReadiness(...args);
          },
          ...reporting((status) => ({ ...status, conditions: before?.conditions ?? [] }))(good),
        };
      }),
      'there is no ContainersReady': broken(
        reporting((status) => ({ ...status, conditions: status.conditions?.slice(0, 1) ?? [] })),
      ),
    },
    'ignores results of containers and pods that it does not know': {
      'it takes those of another container': broken((good) => ({
        setContainerReadiness: (podUid, _containerId, ready) =>
          good.setContainerReadiness(podUid, 'containerd://c1', ready),
      })),
      'it takes those of another pod': broken((good) => ({
        setContainerStartup: (_podUid, containerId, started) => good.setContainerStartup('u1', containerId, started),
      })),
      'it throws': broken(() => ({
        setContainerStartup: () => {
          throw new Error('unknown pod');
        },
      })),
    },
    'ends everything that could still look alive when the pod is terminated': {
      'it ends nothing': broken(() => ({ terminatePod: () => undefined })),
      'the phase stays': broken(reporting((status) => ({ ...status, phase: 'Running' }))),
      'the container runs on': broken(withContainer({ state: { running: {} } })),
      'the container has another exit code': broken(withContainer({ state: { terminated: { exitCode: 0 } } })),
    },
    'keeps the phase of a static pod that is terminated': {
      'it gives it a terminal one': broken(reporting((status) => ({ ...status, phase: 'Failed' }))),
    },
    'after a restart has the status that was accepted last': {
      'it has none': restarted(forgets),
      'the restart count is lost': restarted(withContainer({ restartCount: 0 })),
      'the readiness is lost': restarted(withContainer({ ready: false })),
      'the start time is lost': restarted(reporting(({ startTime: _time, ...status }) => status)),
      'there never was a start time': (good) => ({
        ...broken(reporting(({ startTime: _time, ...status }) => status))(good),
        ...restarted(reporting(({ startTime: _time, ...status }) => status))(good),
      }),
    },
    'tells which pod has changed, and of its end as such, also when it changes nothing': {
      'it tells of nothing': broken(() => ({ watch: () => () => undefined })),
      'every change is an end': broken((good) => ({
        watch: (listener) =>
          good.watch((podUid, status, change) => listener(podUid, status, { ...change, ended: true })),
      })),
      'it names another pod': broken((good) => ({
        watch: (listener) =>
          good.watch((podUid, status, change) =>
            listener(podUid, status, { ...change, pod: { ...change.pod, metadata: { name: 'other' } } }),
          ),
      })),
      'no change is an end': broken((good) => ({
        watch: (listener) =>
          good.watch((podUid, status, change) => listener(podUid, status, { ...change, ended: false })),
      })),
    },
    'tells no more to whom does not watch any longer': {
      'it tells on': broken((good) => ({
        watch: (listener) => {
          good.watch(listener);
          return () => undefined;
        },
      })),
      'it tells nobody any more': broken((good) => ({
        watch: (listener) => {
          good.watch(listener);
          return () => void good.stop();
        },
      })),
    },
    'after a restart goes on with its times, and tells of the first status even if it is the same': {
      'it tells of nothing': restarted(() => ({ watch: () => () => undefined })),
      'it tells of the second, too': restarted((next) => ({
        watch: (listener) =>
          next.watch((...change) => {
            listener(...change);
            listener(...change);
          }),
      })),
      'its times begin anew': restarted((next) => ({
        watch: (listener) =>
          next.watch((podUid, status, change) =>
            listener(podUid, { ...status, startTime: '2026-01-01T00:01:00Z' }, change),
          ),
      })),
    },
    'after a restart refuses to revive what was terminated before': {
      'it accepts every status': restarted(acceptsAll),
    },
    'after a restart takes results of probes before the first status': {
      'the result is lost': restarted(overlooksReadiness),
    },
    'after a restart has no status of a pod that was refused': {
      'it has that status': restarted((_next, before) => ({ getPodStatus: () => before })),
    },
    'after a restart keeps how a pod of the API has ended, but not how a static pod was ended': {
      'it forgets the pod of the API': restarted(forgets),
      'it forgets the phase': restarted(withoutPhase),
      'it forgets the reason': restarted(reporting(({ reason: _reason, ...status }) => status)),
      'it forgets the message': restarted(reporting(({ message: _message, ...status }) => status)),
      'the static pod has ended': restarted((_next, before) => ({ getPodStatus: () => before })),
      'nothing of the static pod is kept': restarted(reporting((status) => (status.phase ? status : {}))),
    },
    'after a restart keeps the phase of a static pod that had not ended': {
      'it forgets the phase': restarted(withoutPhase),
    },
    'after a restart leaves conditions of others to the API object': {
      'it keeps those of others': restarted((_next, before) => ({ getPodStatus: () => before })),
      'it forgets a disruption': restarted(
        reporting((status) => ({ ...status, conditions: status.conditions?.slice(1) ?? [] })),
      ),
    },
    'after a restart knows nothing of pods that were forgotten': {
      'they come back': forgetsNothing,
    },
    'forgets pods that are gone': {
      'it keeps them': forgetsNothing,
      'it forgets those that are not gone': broken((good) => ({
        removeOrphanedStatuses: () => good.removeOrphanedStatuses(new Set()),
      })),
    },
  },
);
