import { cp, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '@podwright/errors';
import { programCommand } from '../start/program-command.js';
import { waitFor } from './wait-for.js';

// Where the environment of the specs (tools/test/recording-environment.mjs) looks for them.
const recordedNodes = Symbol.for('podwright.recorded-nodes');

// A running kubelet writes what it has collected each second.
const longestWriteMs = 3_000;

export interface RecordingKubelet {
  readonly name: string;
  /** Parent of the node's files. */
  readonly dir: string;
  /** The program that was started last. */
  readonly executable: string;
  readonly isRunning: boolean;
}

/** The flight recordings of a node's kubelets; the error of a case that fails names them. */
export class NodeRecording {
  /** Set when no later case uses the node. */
  ended = false;

  constructor(private readonly kubelet: RecordingKubelet) {
    (globalThis as Partial<Record<symbol, Set<NodeRecording>>>)[recordedNodes]?.add(this);
  }

  get name(): string {
    return this.kubelet.name;
  }

  /** The command that runs its program. */
  get program(): string {
    const file = path.relative(process.cwd(), this.kubelet.executable);
    return programCommand(file, 'node').join(' ');
  }

  /** Copies them, because the lab removes the node; resolves with the copy, undefined when there is nothing. */
  async keep(dir: string, failedAtMs: number): Promise<string | undefined> {
    const recordings = path.join(this.kubelet.dir, 'root/flight-recorder');
    if (this.kubelet.isRunning) {
      await waitFor('the last second is written', async () => (await writtenAtMs(recordings)) > failedAtMs, {
        withinMs: longestWriteMs,
      }).catch(() => undefined); // A kubelet that hangs has written what it could.
    }
    if ((await writtenAtMs(recordings)) === 0) return undefined;
    await cp(recordings, dir, { recursive: true });
    return dir;
  }
}

/** When something was written last; 0: nothing is there. */
async function writtenAtMs(directory: string): Promise<number> {
  try {
    const files = await readdir(directory);
    const times = await Promise.all(files.map(async (file) => (await stat(path.join(directory, file))).mtimeMs));
    return Math.max(0, ...times);
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
