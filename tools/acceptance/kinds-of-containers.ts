import type { Container } from '@podwright/kube-types';
import { once, polite, script, untilBegun, type PodDiary } from './pod-diary.js';
import { main, type PodManifest } from './pod-manifests.js';

const always: Partial<Container> = { restartPolicy: 'Always', lifecycle: { postStart: untilBegun } };

const readyAfter = (name: string, seconds: number): Container =>
  main({
    name,
    command: script(
      `trap "say ${name} TERM; sleep 0.3; say ${name} ends; exit 0" TERM; say ${name} begins; ` +
        `sleep ${seconds}; say ${name} is ready; touch /ready; sleep 1000000 & wait`,
    ),
    startupProbe: { exec: { command: ['cat', '/ready'] }, periodSeconds: 1, failureThreshold: 30 },
    restartPolicy: 'Always',
  });

/** Shell loop that waits until the pod's diary has the words `times` times. */
const until = (words: string, times = 1): string =>
  `until [ \`grep -c "${words}" $DIARY\` -ge ${times} ]; do sleep 0.1; done`;

/** Runs the first text on the container's first run, the second on its second, and the last from then on. */
const byRun = (name: string, ...texts: string[]): string => {
  const cases = texts.map((text, index) => `${index + 1 < texts.length ? index + 1 : '*'}) ${text};;`);
  return `echo >> $DIARY.${name}.runs; case \`wc -l < $DIARY.${name}.runs\` in ${cases.join(' ')} esac`;
};

/** Pods that each show one kind of container, or one dependency between the containers of a pod. */
export function kindsOfContainers(diary: PodDiary): readonly PodManifest[] {
  const fails = (name: string, exitCode: number): string => `say ${name} ends; exit ${exitCode}`;
  const onExit = (action: string, ...values: number[]): Partial<Container> => ({
    restartPolicy: 'Never',
    restartPolicyRules: [{ action, exitCodes: { operator: 'In', values } }],
  });
  return [
    diary.pod('ordered', {
      restartPolicy: 'Never',
      initContainers: [
        once('one', 'sleep 0.2'),
        readyAfter('early', 2),
        once('two', 'sleep 0.2'),
        polite('late', always),
      ],
      containers: [polite('main')],
    }),
    diary.pod('never-alone', {
      restartPolicy: 'Never',
      initContainers: [
        {
          ...polite('side', always),
          command: script(
            byRun(
              'side',
              `say side begins; touch /begun; ${until('main begins')}; ${fails('side', 3)}`,
              'trap "say side TERM; say side ends; exit 0" TERM; say side begins; touch /begun; sleep 1000000 & wait',
            ),
          ),
        },
      ],
      containers: [once('main', until('side begins', 2))],
    }),
    diary.pod('unlively', {
      initContainers: [
        polite('side', {
          ...always,
          // Healthy from its second run on.
          livenessProbe: {
            exec: { command: script(`${until('main begins')}; grep -q TERM $DIARY || { echo ill; exit 1; }`) },
            ...{ periodSeconds: 1, timeoutSeconds: 10, failureThreshold: 1 },
          },
        }),
      ],
      containers: [polite('main')],
    }),
    diary.pod('init-never', {
      restartPolicy: 'Never',
      initContainers: [once('init', 'echo no database > /dev/termination-log', 7)],
      containers: [polite('main')],
    }),
    diary.pod('init-always', {
      initContainers: [
        main({
          name: 'init',
          command: script(`say init begins; ${byRun('init', fails('init', 1), fails('init', 1), 'say init succeeds')}`),
        }),
      ],
      containers: [polite('main')],
    }),
    diary.pod('debugged', { containers: [polite('main')] }),
    diary.pod('ruled', {
      restartPolicy: 'Never',
      containers: [
        main({
          name: 'ruled',
          command: script(`say ruled begins; ${byRun('ruled', fails('ruled', 42), fails('ruled', 0))}`),
          ...onExit('Restart', 42, 43),
        }),
        once('unruled', 'true', 1, onExit('Restart', 42)),
        main({
          name: 'repeated',
          command: script(`say repeated begins; ${byRun('repeated', fails('repeated', 1), fails('repeated', 0))}`),
          restartPolicy: 'OnFailure',
        }),
      ],
    }),
    diary.pod('all-again', {
      restartPolicy: 'Never',
      initContainers: [once('init', 'true'), polite('side', always)],
      containers: [
        main({
          command: script(
            'say main begins; ' +
              byRun('main', `${until('other begins')}; say main fails; exit 88`, 'sleep 1000000 & wait'),
          ),
          ...onExit('RestartAllContainers', 88),
        }),
        polite('other'),
      ],
    }),
  ];
}
