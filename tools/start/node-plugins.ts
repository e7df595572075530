import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot } from '../workspace/repository-root.js';

const suffix = '.plugin.mjs';
const stopTimeoutMs = 10_000;

export interface NodePluginsOptions {
  /** Files; see {@link findNodePlugins}. */
  readonly files: readonly string[];
  /** Each plugin's only argument. */
  readonly kubeletRoot: string;
  /** Added to the variables of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Records each process. */
  readonly note: (name: string, pid: number) => Promise<void>;
  readonly say: (line: string) => void;
}

/** The programs beside the manifests that serve volumes or devices to the kubelet: files named `*.plugin.mjs`. */
export function findNodePlugins(manifests: string): readonly string[] {
  if (!statSync(manifests).isDirectory()) return [];
  const names = readdirSync(manifests).filter((name) => name.endsWith(suffix));
  return names.sort().map((name) => path.join(manifests, name));
}

/** Running plugins, each in a process of its own. Their output is shown with their name. */
export class NodePlugins {
  private constructor(private readonly children: readonly ChildProcess[]) {}

  static async start({ files, kubeletRoot, env, note, say }: NodePluginsOptions): Promise<NodePlugins> {
    const children: ChildProcess[] = [];
    for (const file of files) {
      const name = path.basename(file, suffix);
      const args = [path.join(repositoryRoot, 'tools/bootstrap/run.mjs'), file, kubeletRoot];
      const child = spawn(process.execPath, args, {
        cwd: repositoryRoot,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...env },
      });
      children.push(child);
      for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on('line', (line) => say(`${name}: ${line}`));
      }
      child.once('exit', (code) => {
        if (code !== 0) say(`${name} exited with code ${code}`);
      });
      await note(name, child.pid ?? 0);
    }
    return new NodePlugins(children);
  }

  /** Sends SIGTERM, and SIGKILL to those that do not exit. */
  async stop(): Promise<void> {
    await Promise.all(this.children.map(endChild));
  }
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await ended;
  clearTimeout(timer);
}
