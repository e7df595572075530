import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Container, LifecycleHandler, PodSpec } from '@podwright/kube-types';
import { main, podManifest, type PodManifest } from './pod-manifests.js';

/** One line that a container or one of its hooks wrote. */
export interface DiaryEntry {
  readonly words: string;
  /** Unix milliseconds of the machine's clock, read in the container. */
  readonly atMs: number;
}

type Fields = Partial<Container>;

/**
 * Records what happens in pods: containers and hooks append lines with a time to one file per pod, in a folder of the
 * machine that outlives them. The lines are in the order of the events.
 */
export class PodDiary {
  /** @param folder Absolute path; must exist before the pods. */
  constructor(readonly folder: string) {}

  /** A pod whose containers have the diary at `/diary`; they write to it with the shell functions of {@link script}. */
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

  /** All entries of a pod, by the name passed to {@link pod}; none before the first. */
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

  async words(pod: string): Promise<readonly string[]> {
    return (await this.entries(pod)).map(({ words }) => words);
  }

  /** When the first entry with the words was written. */
  async when(pod: string, words: string): Promise<number> {
    return (await this.entries(pod)).find((entry) => entry.words === words)?.atMs ?? Number.NaN;
  }

  /** Milliseconds from the first entry with the words `from` to the first with `to`; negative in reverse order. */
  async between(pod: string, from: string, to: string): Promise<number> {
    return (await this.when(pod, to)) - (await this.when(pod, from));
  }
}

/** A command that can write to the diary with `say WORDS`. `ts` is busybox's only clock finer than a second. */
export const script = (text: string): string[] => ['sh', '-c', `say() { echo "$*" | ts %.s >> $DIARY; }; ${text}`];

/** Says `NAME begins`, runs the text, says `NAME ends`. */
export const once = (name: string, text: string, exitCode = 0, fields: Fields = {}): Container =>
  main({ name, command: script(`say ${name} begins; ${text}; say ${name} ends; exit ${exitCode}`), ...fields });

/**
 * A postStart hook for a {@link polite} container, so that later containers start only after it said that it begins.
 */
export const untilBegun: LifecycleHandler = {
  exec: { command: ['sh', '-c', 'until [ -e /begun ]; do sleep 0.05; done'] },
};

/** Says `NAME begins`; on SIGTERM says `NAME TERM`, and 0.3 s later says `NAME ends` and exits with 0. */
export const polite = (name: string, fields: Fields = {}): Container =>
  main({
    name,
    command: script(
      `trap "say ${name} TERM; sleep 0.3; say ${name} ends; exit 0" TERM; say ${name} begins; touch /begun; sleep 1000000 & wait`,
    ),
    ...fields,
  });

/** Says `NAME begins`, on SIGTERM says `NAME TERM`, and runs until it is killed. */
export const deaf = (name: string, fields: Fields = {}): Container =>
  main({
    name,
    command: script(`trap "say ${name} TERM" TERM; say ${name} begins; while :; do sleep 0.1; done`),
    ...fields,
  });
