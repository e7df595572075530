import type { Pod } from '@podwright/kube-types';
import { main, podManifest, script, untilTerm, type PodManifest } from './pod-manifests.js';

const probe = (command: string, rest: object = {}): object => ({
  exec: { command: ['sh', '-c', command] },
  periodSeconds: 1,
  failureThreshold: 1,
  ...rest,
});

/** Containers write marks here; the folder outlives them. */
const marks = (folder: string): Pick<Pod['spec'], 'volumes'> => ({
  volumes: [{ name: 'marks', hostPath: { path: folder } }],
});
const volumeMounts = [{ name: 'marks', mountPath: '/marks' }];

/** Each pod shows one thing that a kubelet must restore after a kill -9. */
export const checkpointedPods = {
  /** Ready after its startup probe; must stay ready. */
  ready: podManifest('ready', {
    containers: [
      main({ startupProbe: probe('sleep 0.2'), readinessProbe: probe('true'), livenessProbe: probe('true') }),
    ],
  }),
  /** Runs but is not ready; must never become ready. */
  unready: podManifest('unready', { containers: [main({ readinessProbe: probe('false') })] }),
  /** Exits at once, again and again; its back-off must keep growing. */
  crashing: podManifest('crashing', { containers: [main({ command: ['false'] })] }),
  /** Its postStart hook writes one mark per container. */
  hooked: (folder: string): PodManifest =>
    podManifest('hooked', {
      ...marks(folder),
      containers: [
        main({
          volumeMounts,
          lifecycle: { postStart: { exec: { command: ['sh', '-c', 'echo hook >> /marks/post-start'] } } },
        }),
      ],
    }),
  /**
   * Ignores SIGTERM; its preStop hook ends in time, and each of its runs has another number. Writes the time until it is
   * killed.
   */
  leaving: (name: string, folder: string): PodManifest =>
    podManifest(name, {
      ...marks(folder),
      terminationGracePeriodSeconds: 6,
      containers: [
        main({
          command: [...script(`trap "" TERM; while true; do date +%s >> /marks/${name}.alive; sleep 0.2; done`)],
          volumeMounts,
          lifecycle: {
            preStop: {
              exec: {
                command: [
                  ...script(`mark() { echo $1 $$ | ts %.s >> /marks/${name}; }; mark begin; sleep 1; mark end`),
                ],
              },
            },
          },
        }),
        main({ name: 'polite', command: [...untilTerm] }),
      ],
    }),
};

/** The part of a pod's status that a restart of the kubelet must not change. */
export function lastingStatus({ status }: Pod): unknown {
  const [container] = status?.containerStatuses ?? [];
  return {
    startTime: status?.startTime,
    phase: status?.phase,
    conditions: status?.conditions?.map(({ type, status: value, lastTransitionTime }) => [
      type,
      value,
      lastTransitionTime,
    ]),
    container: {
      id: container?.containerID,
      ready: container?.ready,
      started: container?.started,
      restartCount: container?.restartCount,
    },
  };
}
