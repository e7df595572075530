import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Container, LifecycleHandler, PodSpec } from '@podwright/kube-types';
import { main, podManifest, type PodManifest } from './pod-manifests.js';

/** One line that a container, or a hook in it, has written. */
export interface DiaryEntry {
  readonly words: string;
  /** Unix milliseconds by the clock of the machine, as the container had it. */
  readonly atMs: number;
}

type Fields = Partial<Container>;

/**
 * What happens in pods, by their own word: containers and hooks append lines with the time to one file per pod, in a
 * folder of the machine that outlives them. The order of its lines is the order of what happened.
 */
export class PodDiary {
  /** @param folder Absolute; there before the pods. */
  constructor(readonly folder: string) {}

  /** A pod whose containers have the diary at `/diary`; each writes with the shell functions of {@link script}. */
  pod(name: string, spec: Partial<PodSpec>): PodManifest {
    const mounted = (containers: readonly Container[] = []): Container[] =>
      containers.map((each) => ({
        ...each,
        env: [{ name: 'DIARY', value: `/diary/${name}` }],
        volumeMounts: [{ name: 'diary', mountPath: '/diary' }, ...(each.volumeMounts ?? [])],
      }));
    return podManifest(name, {
      ...spec,
      containers: mounted(spec.containers),
      ...(spec.initContainers && { initContainers: mounted(spec.initContainers) }),
      volumes: [{ name: 'diary', hostPath: { path: this.folder } }, ...(spec.volumes ?? [])],
    });
  }

  /** All entries of a pod, by its name in {@link pod}; none before the first. */
  async entries(pod: string): Promise<readonly DiaryEntry[]> {
    const text = await readFile(path.join(this.folder, pod), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    return text.split('\n').flatMap((line) => {
      const [, seconds, words = ''] = /^([\d.]+) (.*)$/.exec(line) ?? [];
      return seconds === undefined ? [] : [{ words, atMs: Number(seconds) * 1000 }];
    });
  }

  /** When the container, one of {@link deaf}, was last seen alive; the moment of its death is at most 0.2 s later. */
  async lastBeat(pod: string, container: string): Promise<number> {
    return (await this.entries(`${pod}.${container}`)).at(-1)?.atMs ?? Number.NaN;
  }

  async words(pod: string): Promise<readonly string[]> {
    return (await this.entries(pod)).map(({ words }) => words);
  }

  /** Milliseconds from the first entry with the one to the first with the other words; negative in reverse. */
  async between(pod: string, from: string, to: string): Promise<number> {
    const entries = await this.entries(pod);
    const at = (wanted: string): number => entries.find(({ words }) => words === wanted)?.atMs ?? Number.NaN;
    return at(to) - at(from);
  }
}

/** A command that writes to the diary: `say WORDS`. The only clock of busybox finer than a second is in `ts`. */
export const script = (text: string): string[] => [
  'sh',
  '-c',
  `say() { echo "$*" | ts %.s >> $DIARY; }; beat() { echo alive | ts %.s >> $DIARY.$1; }; ${text}`,
];

/** Says `NAME begins`, does what the text says, says `NAME ends`. */
export const once = (name: string, text: string, exitCode = 0, fields: Fields = {}): Container =>
  main({ name, command: script(`say ${name} begins; ${text}; say ${name} ends; exit ${exitCode}`), ...fields });

/** A postStart hook for a {@link polite} container: those after it start when it has begun by its own word. */
export const untilBegun: LifecycleHandler = {
  exec: { command: ['sh', '-c', 'until [ -e /begun ]; do sleep 0.05; done'] },
};

/** Says `NAME begins`; on SIGTERM `NAME TERM`, and 0.3 s later, when it exits with 0, `NAME ends`. */
export const polite = (name: string, fields: Fields = {}): Container =>
  main({
    name,
    command: script(
      `trap "say ${name} TERM; sleep 0.3; say ${name} ends; exit 0" TERM; say ${name} begins; touch /begun; sleep 1000000 & wait`,
    ),
    ...fields,
  });

/** Says `NAME begins`, on SIGTERM `NAME TERM`, and goes on until it is killed. */
export const deaf = (name: string, fields: Fields = {}): Container =>
  main({
    name,
    command: script(`trap "say ${name} TERM" TERM; say ${name} begins; while :; do beat ${name}; sleep 0.1; done`),
    ...fields,
  });
