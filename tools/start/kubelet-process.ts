import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import type { Pod } from '@podwright/kube-types';
import { ask } from './pod-answer.js';

export interface KubeletProcessOptions {
  /** The executable, dist/kubelet. */
  readonly file: string;
  /** Folder for configuration, state and logs of this run; made when missing. */
  readonly dir: string;
  readonly staticPodPath: string;
  readonly runtimeEndpoint: string;
  /** Further fields of the KubeletConfiguration. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly flags?: readonly string[];
}

/** A kubelet that runs beside us, from the real executable, watched through its read-only port. */
export class KubeletProcess {
  private exited: { readonly code: number | null; readonly signal: string | null } | undefined;

  private constructor(
    readonly child: ChildProcess,
    readonly logFile: string,
    private readonly readOnlyPort: number,
  ) {
    child.once('exit', (code, signal) => (this.exited = { code, signal }));
  }

  static async start(options: KubeletProcessOptions): Promise<KubeletProcess> {
    const { dir, staticPodPath, runtimeEndpoint } = options;
    mkdirSync(dir, { recursive: true });
    const readOnlyPort = await freePort();
    const configFile = path.join(dir, 'kubelet.json');
    const assemblyFile = path.join(dir, 'assembly.json');
    const configuration = {
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      staticPodPath: path.resolve(staticPodPath),
      containerRuntimeEndpoint: runtimeEndpoint,
      podLogsDir: path.join(dir, 'pod-logs'),
      address: '127.0.0.1',
      readOnlyPort,
      enableServer: false,
      healthzPort: 0,
      failCgroupV1: false,
      failSwapOn: false,
      ...options.configuration,
    };
    writeFileSync(configFile, JSON.stringify(configuration, null, 2));
    writeFileSync(assemblyFile, JSON.stringify(privateFolders(dir), null, 2));
    const logFile = path.join(dir, 'kubelet.log');
    const log = createWriteStream(logFile);
    const args = ['--config', configFile, '--root-dir', path.join(dir, 'root'), '--assembly', assemblyFile, ...(options.flags ?? [])];
    const child = spawn(process.execPath, [options.file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    return new KubeletProcess(child, logFile, readOnlyPort);
  }

  /** The pods as the kubelet sees them; none while it does not answer yet. Throws when it has ended. */
  async pods(): Promise<readonly Pod[]> {
    if (this.exited !== undefined) throw new Error(this.describeEnd());
    const body = await ask(`http://127.0.0.1:${this.readOnlyPort}/pods`, 5_000).catch(() => '{}');
    return (JSON.parse(body) as { items?: readonly Pod[] | null }).items ?? [];
  }

  /** SIGTERM; containers keep running. Resolves when the process has ended. */
  async stop(): Promise<void> {
    if (this.exited !== undefined) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
  }

  /** The end of the log, for a failure's report. */
  lastLines(count: number): string {
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  }

  private describeEnd(): string {
    const { code, signal } = this.exited ?? {};
    return `the kubelet ended with ${signal ?? `exit code ${code}`}; its last words (all in ${this.logFile}):\n${this.lastLines(20)}`;
  }
}

// The container log links have no field in the KubeletConfiguration; this run keeps them away from /var/log.
function privateFolders(dir: string): unknown {
  const containersLogDir = path.join(dir, 'container-logs');
  return {
    apiVersion: 'assembly.podwright.dev/v1alpha1',
    kind: 'Assembly',
    modules: [
      { name: '@podwright/container-runtime', config: { containersLogDir } },
      { name: '@podwright/container-gc', config: { containersLogDir } },
    ],
  };
}

/** A TCP port of loopback that nobody listens on now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
