import { breaks, breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { ContainerStatus } from '@podwright/kube-types';
import type { ProbeKind, ProbeManager, ProbeResult, ProbeResults } from '@podwright/probe-interface';
import { describeProbeManagerContract } from '@podwright/probe-interface/contract';
import { createProbeHarness, type ProbeHarness } from './fixtures/probe-harness.js';

type Broken = (good: ProbeHarness) => Partial<ProbeHarness>;
type Results = (results: ProbeResults) => Partial<ProbeResults>;

const broken = (replaced: (good: ProbeManager, harness: ProbeHarness) => Partial<ProbeManager>): Broken =>
  breaksIn<ProbeHarness, 'manager'>('manager', (manager, harness) => replaced(manager, harness));
const answering = (change: Results): Broken => breaksIn('results', change);
const getting = (change: (result: ProbeResult | undefined, kind: ProbeKind) => ProbeResult | undefined): Results => {
  return (results) => ({ get: (kind, containerId) => change(results.get(kind, containerId), kind) });
};
const always = (of: ProbeKind, as: ProbeResult | undefined): Broken =>
  answering(getting((result, kind) => (kind === of ? as : result)));
/** A result stays for ever. */
const remembering = answering((results) => {
  const last = new Map<string, ProbeResult>();
  return {
    get: (kind, containerId) => {
      const result = results.get(kind, containerId) ?? last.get(kind + containerId);
      if (result !== undefined) last.set(kind + containerId, result);
      return result;
    },
  };
});
const filling =
  (change: (one: ContainerStatus) => Partial<ContainerStatus>) =>
  (good: ProbeManager): Partial<ProbeManager> => ({
    withProbeResults: (pod, status) => {
      const { containerStatuses, initContainerStatuses, ...filled } = good.withProbeResults(pod, status);
      const changed = (one: ContainerStatus): ContainerStatus => ({ ...one, ...change(one) });
      return {
        ...filled,
        ...(containerStatuses && { containerStatuses: containerStatuses.map(changed) }),
        ...(initContainerStatuses && { initContainerStatuses: initContainerStatuses.map(changed) }),
      };
    },
  });
const fills = (change: (one: ContainerStatus) => Partial<ContainerStatus>): Broken => broken(filling(change));
const isInit = ({ name }: ContainerStatus): boolean => name === 'init';
/** The next process is broken. */
const next =
  (change: Broken): Broken =>
  ({ reborn }) => ({
    reborn: async () => {
      const good = await reborn();
      return breaks(good, change(good));
    },
  });
const losesCheckpoints: Broken = ({ clock }) => ({ reborn: async () => createProbeHarness({ clock }) });
const asksOn =
  (line: string): Broken =>
  ({ asked, advance }) => ({
    advance: async (ms) => {
      await advance(ms);
      if (asked.length > 0 && ms > 0) asked.push(line);
    },
  });
const throwing = (name: 'addPod' | 'removePod' | 'stopLivenessAndStartup' | 'cleanupPods', fromCall: number): Broken =>
  broken(() => {
    let calls = 0;
    return {
      [name]: () => {
        if (++calls >= fromCall) throw new Error(`${name}: unknown pod`);
      },
    };
  });
const ignoring = (name: 'addPod' | 'removePod' | 'stopLivenessAndStartup' | 'cleanupPods'): Broken =>
  broken(() => ({ [name]: () => undefined }));

describeContractProof(
  'ProbeManager',
  (create) => describeProbeManagerContract('a broken ProbeManager', create),
  async () => createProbeHarness(),
  {
    'takes running containers without probes for started and ready': {
      'they are not started': fills(() => ({ started: false })),
      'they are not ready': fills(() => ({ ready: false })),
      'an init container that has ended is started': fills((one) => (isInit(one) ? { started: true } : {})),
      'an init container that has succeeded is not ready': fills((one) => (isInit(one) ? { ready: false } : {})),
    },
    'takes what does not run for neither, and plain init containers for ready once they have succeeded': {
      'all are started': fills(() => ({ started: true })),
      'all are ready': fills(() => ({ ready: true })),
      'an init container that runs is ready': fills(({ state, ready }) => ({
        ready: ready || state?.running !== undefined,
      })),
      'an init container that has failed is ready': fills((one) =>
        isInit(one) && one.state?.terminated ? { ready: true } : {},
      ),
      'a container that has succeeded is ready': fills((one) =>
        one.state?.terminated?.exitCode === 0 ? { ready: true } : {},
      ),
    },
    'changes nothing else in the status, and adds no list': {
      'the phase differs': broken((good) => ({
        withProbeResults: (pod, status) => ({ ...good.withProbeResults(pod, status), phase: 'Unknown' }),
      })),
      'the restart count differs': fills(() => ({ restartCount: 0 })),
      'it adds a list': broken((good) => ({
        withProbeResults: (pod, status) => ({ containerStatuses: [], ...good.withProbeResults(pod, status) }),
      })),
    },
    'has no result of a container that is not probed': {
      'it is ready': always('readiness', 'success'),
      'it is alive': always('liveness', 'success'),
      'it is started': always('startup', 'success'),
    },
    'asks the startup probe alone until it succeeds, then the others': {
      'it asks nothing': ignoring('addPod'),
      'it asks all': broken((good, { asked }) => ({
        addPod: (pod) => {
          good.addPod(pod);
          asked.push('readiness app');
        },
      })),
      'it goes on with the startup probe': asksOn('startup app'),
      'it never asks the others': ({ setStatus }) => {
        let calls = 0;
        return { setStatus: (pod, status) => (calls++ === 0 ? setStatus(pod, status) : undefined) };
      },
      'the startup probe has no result': always('startup', 'unknown'),
      'the readiness probe has no result': always('readiness', 'failure'),
      'the status manager does not hear of it': () => ({ written: [] }),
    },
    'takes a container for unready and alive before the first answer': {
      'it has failed to start': always('startup', 'failure'),
      'it is ready': always('readiness', 'success'),
      'it is dead': always('liveness', 'failure'),
    },
    'believes a failure at its threshold, and asks a container no more that is to be killed': {
      'the first failure counts': always('liveness', 'failure'),
      'no failure counts': always('liveness', 'success'),
      'it asks on': asksOn('liveness app'),
      'it does not ask the next container': ({ setStatus }) => {
        let calls = 0;
        return { setStatus: (pod, status) => (calls++ === 0 ? setStatus(pod, status) : undefined) };
      },
      'the result of the one before stays': remembering,
    },
    'has a result in the status manager before its listeners hear of it, and tells changes alone': {
      'the status manager does not have it yet': () => ({ written: [] }),
      'it tells nothing': answering(() => ({ watch: () => () => undefined })),
      'it tells the same again': answering((results) => ({
        watch: (listener) =>
          results.watch((update) => {
            listener(update);
            listener(update);
          }),
      })),
      'nobody can leave': answering((results) => ({
        watch: (listener) => {
          results.watch(listener);
          return () => undefined;
        },
      })),
    },
    'ends liveness and startup probes when the pod terminates, the rest when it is removed': {
      'it ends none when the pod terminates': ignoring('stopLivenessAndStartup'),
      'it ends all when the pod terminates': broken((good) => ({
        stopLivenessAndStartup: (pod) => good.removePod(pod),
      })),
      'it ends none when the pod is removed': ignoring('removePod'),
      'results stay': remembering,
    },
    'ends the probes of pods that nobody wants any more': {
      'it ends none': ignoring('cleanupPods'),
      'it ends those of wanted pods': broken((good) => ({ cleanupPods: () => good.cleanupPods(new Set()) })),
      'results stay': remembering,
      'it asks on': asksOn('readiness app'),
    },
    'stops without another probe': {
      'stop does nothing': broken(() => ({ stop: () => Promise.resolve() })),
      'a second stop is refused': refusesSecondStop('manager'),
      'it asks for a pod that comes later': broken((good, { asked }) => {
        let stopped = false;
        return {
          stop: () => {
            stopped = true;
            return good.stop();
          },
          addPod: (pod) => {
            if (stopped) asked.push('readiness app');
            good.addPod(pod);
          },
        };
      }),
    },
    'shows a readiness %s unchanged after a kill -9': {
      'the container has not started': next(fills(() => ({ started: false }))),
      'the readiness changes': next(fills(({ ready }) => ({ ready: !ready }))),
      'it writes the status again': next(() => ({ written: ['readiness containerd://c1 true'] })),
    },
    'shows a readiness success unchanged after a kill -9': {
      'the result is lost': losesCheckpoints,
    },
    'shows what a startup probe said (%s) after a kill -9, and does not ask it again': {
      'it shows the opposite': next(fills(({ started }) => ({ started: !started }))),
      'it asks again': next(() => ({ asked: ['startup app'] })),
      'it has no result': next(always('startup', 'unknown')),
      'the result is lost': losesCheckpoints,
    },
    'bears every call in any order, also twice and for pods that it does not know': {
      'it removes no unknown pod': throwing('removePod', 1),
      'it removes a pod once': throwing('removePod', 2),
      'it adds a pod once': throwing('addPod', 2),
      'it terminates no unknown pod': throwing('stopLivenessAndStartup', 1),
      'it cleans up once': throwing('cleanupPods', 2),
      'a second stop is refused': refusesSecondStop('manager'),
      'a listener leaves once': answering(() => ({
        watch: () => {
          let calls = 0;
          return () => {
            if (++calls > 1) throw new Error('left already');
          };
        },
      })),
    },
  },
);
