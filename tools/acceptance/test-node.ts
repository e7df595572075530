import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Pod } from '@podwright/kube-types';
import type { Lab } from '@podwright/lab';
import { KubeletProcess, type ProcessEnd } from '../start/kubelet-process.js';
import { NodeRecording } from './node-recording.js';
import type { PodManifest } from './pod-manifests.js';
import type { RuntimeView } from './runtime-view.js';
import { waitFor, type WaitOptions } from './wait-for.js';

/** What a node needs to run. */
export interface NodeBed {
  readonly lab: Lab;
  readonly runtime: RuntimeView;
  /** Path of the kubelet's executable. */
  readonly executable: string;
  /** Records the pid of a running kubelet of this lab. */
  remember(pid: number): Promise<void>;
}

/** What runs as the kubelet. */
export interface TestProgram {
  /** Another program than the kubelet of the bed. */
  readonly executable?: string;
  /** Path of the Node.js that runs it; default that of this process. */
  readonly node?: string;
}

export interface TestNodeOptions extends TestProgram {
  /** Further fields of the KubeletConfiguration. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly flags?: readonly string[];
  /** Authority of an API server, which can then call the kubelet's API at the node's address. */
  readonly clientAuthority?: string;
  /** Entries for the assembly file. */
  readonly assembly?: readonly Readonly<Record<string, unknown>>[];
  /** True: a kubelet of somebody else, so it gets upstream's flags alone. */
  readonly foreign?: boolean;
}

/** A kubelet with a name and a manifest folder. It can be killed and started again with the same state. */
export class TestNode {
  /** Removed with the lab. */
  readonly dir: string;
  readonly manifests: string;
  private process: KubeletProcess | undefined;
  private recording: NodeRecording | undefined;
  private program: string;

  constructor(
    readonly bed: NodeBed,
    readonly name: string,
    private readonly options: TestNodeOptions,
  ) {
    this.dir = path.join(bed.lab.dir, `node-${name}`);
    this.manifests = path.join(this.dir, 'manifests');
    this.program = options.executable ?? bed.executable;
  }

  /** The program that runs, or ran last. */
  get executable(): string {
    return this.program;
  }

  get isRunning(): boolean {
    return this.process?.running ?? false;
  }

  get kubelet(): KubeletProcess {
    if (this.process === undefined) throw new Error(`kubelet ${this.name} was never started`);
    return this.process;
  }

  /** Starts the kubelet, also again after its end, then perhaps another program. Does not wait until it is up. */
  async start({ executable, node }: TestProgram = this.options): Promise<void> {
    const { bed, dir, manifests, name, options } = this;
    await mkdir(manifests, { recursive: true });
    await mkdir(path.join(dir, 'staging'), { recursive: true });
    this.program = executable ?? bed.executable;
    this.recording ??= new NodeRecording(this);
    const { foreign = false, assembly = [] } = options;
    this.process = await KubeletProcess.start({
      file: this.program,
      ...(node !== undefined && { node }),
      dir,
      staticPodPath: manifests,
      runtimeEndpoint: bed.lab.endpoint,
      configuration: { cgroupRoot: bed.lab.cgroupRoot, ...options.configuration },
      flags: [
        '--node-ip',
        bed.lab.network.gateway,
        '--hostname-override',
        name,
        ...(foreign ? [] : ['--flight-recorder']),
        ...(options.flags ?? []),
      ],
      assembly: foreign ? 'none' : assembly,
      env: bed.lab.env,
      ...(options.clientAuthority !== undefined && {
        clientAuthority: options.clientAuthority,
        address: bed.lab.network.gateway,
      }),
    });
    await bed.remember(this.process.child.pid ?? 0);
  }

  /** Waits until the sync loop runs, for tests that measure from there. */
  async untilUp(): Promise<void> {
    await this.waitFor('the kubelet is up', async () => (await this.kubelet.ask('/healthz')) === 'ok');
  }

  /** Sends a terminating signal, and kills the kubelet when it has not exited in time. */
  async end(signal: NodeJS.Signals, { withinMs = 30_000 } = {}): Promise<ProcessEnd> {
    let late = false;
    const killer = setTimeout(() => {
      late = true;
      this.kubelet.child.kill('SIGKILL');
    }, withinMs);
    const end = await this.kubelet.end(signal);
    clearTimeout(killer);
    if (!late) return end;
    throw new Error(
      `${signal} did not end the kubelet within ${withinMs} ms; the end of the log:\n${this.kubelet.lastLines(12)}`,
    );
  }

  async stop(): Promise<void> {
    await this.process?.end('SIGKILL'); // other tests cover the normal stop
    if (this.recording !== undefined) this.recording.ended = true;
  }

  /** Moves a complete manifest into place; resolves with the wall clock just before, in Unix milliseconds. */
  async write(file: string, manifest: PodManifest | string | Buffer): Promise<number> {
    const raw = typeof manifest === 'string' || Buffer.isBuffer(manifest);
    const staged = path.join(this.dir, 'staging', file);
    await writeFile(staged, raw ? manifest : JSON.stringify(manifest));
    const atMs = Date.now();
    await rename(staged, path.join(this.manifests, file));
    return atMs;
  }

  async remove(file: string): Promise<number> {
    const atMs = Date.now();
    await rm(path.join(this.manifests, file), { recursive: true });
    return atMs;
  }

  /** Adds the manifest of a pod; the file has the pod's name. */
  async add(manifest: PodManifest): Promise<number> {
    return this.write(`${manifest.metadata.name}.json`, manifest);
  }

  /** Name of a static pod on this node, from the name in its manifest. */
  podName(name: string): string {
    return `${name}-${this.name}`;
  }

  /** The pod as the kubelet reports it. */
  async pod(name: string): Promise<Pod | undefined> {
    const pods = await this.kubelet.pods();
    return pods.find(({ metadata }) => metadata.name === this.podName(name));
  }

  /**
   * Resolves with the pod once the test holds for it. On failure, the error has the pod's status and the end of the
   * log.
   */
  async waitForPod(name: string, what: string, test: (pod: Pod) => boolean, options: WaitOptions = {}): Promise<Pod> {
    let seen: Pod | undefined;
    const look = async (): Promise<Pod | false> => {
      seen = await this.pod(name);
      return seen !== undefined && test(seen) && seen;
    };
    return this.waitFor(
      `pod ${name} ${what}`,
      look,
      options,
      () => `${JSON.stringify(seen?.status ?? 'no pod', null, 1)}\n`,
    );
  }

  /** {@link waitFor} with the end of the kubelet's log in the error. */
  async waitFor<T>(
    what: string,
    look: () => Promise<T>,
    options: WaitOptions = {},
    detail: () => string = () => '',
  ): Promise<Exclude<T, undefined | false>> {
    return waitFor(what, look, options).catch((error: Error) => {
      throw new Error(`${error.message}\n${detail()}the end of the log:\n${this.kubelet.lastLines(12)}`);
    });
  }

  /** Waits until all containers of a pod of this name in the runtime would end at SIGTERM by themselves. */
  async untilPolite(pod: string): Promise<void> {
    const { runtime } = this.bed;
    await this.waitFor(`the containers of ${pod} listen to SIGTERM`, async () => {
      const listen = await Promise.all((await runtime.running(pod)).map(({ id }) => runtime.listensToTerm(id)));
      return listen.length > 0 && listen.every(Boolean);
    });
  }

  async removed(name: string): Promise<void> {
    const { runtime } = this.bed;
    const pod = this.podName(name);
    await this.waitFor(`pod ${name} is stopped`, async () => {
      const ready = (await runtime.sandboxes(pod)).some((sandbox) => sandbox.ready);
      return !ready && (await runtime.running(pod)).length === 0;
    });
  }

  /** The kubelet's log lines so far, of all its runs. */
  async log(): Promise<readonly string[]> {
    return (await readFile(this.kubelet.logFile, 'utf8')).split('\n');
  }

  /** Warnings and errors that contain the text, without logged events. */
  async complaints(text: string): Promise<readonly string[]> {
    return (await this.log()).filter((line) => /^[WE]\d{4} /.test(line) && line.includes(text));
  }

  /** Events that the kubelet recorded for a pod. */
  async events(name: string, reason: string): Promise<readonly string[]> {
    const parts = [` events] `, `object="default/${this.podName(name)}"`, `reason="${reason}"`];
    return (await this.log()).filter((line) => parts.every((part) => line.includes(part)));
  }
}
