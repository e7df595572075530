import { FailureLog } from '@podwright/logging';
import type { CgroupTree, ConsoleMessage, JournalPage, JournalQuery, PodPage } from '@podwright/console-interface';
import type { Answer } from '@podwright/http-answer';
import { podUid } from '@podwright/kube-types';
import type { ServerRequest } from '@podwright/server-interface';
import { CadvisorPages } from './cadvisor/cadvisor-pages.js';
import { cgroupOwners, CgroupTreeReader } from './cgroups/cgroup-tree.js';
import type { ConsoleConfig } from './console-config.js';
import type { ConsoleParts } from './console-needs.js';
import { journalPage } from './journal/journal-page.js';
import { Live } from './live/live.js';
import { readPod } from './pods/read-pod.js';
import { loadBuiltFiles } from './serving/built-files.js';
import type { ConsoleFiles } from './serving/console-files.js';
import { ConsolePages } from './serving/console-pages.js';
import { TokenAccess } from './serving/token-access.js';
import { TokenFile } from './serving/token-file.js';

const tokenBytes = 32;

/** The console that is switched on: what is loaded and made only then. */
export class OpenConsole {
  readonly pages: ConsolePages;
  readonly cadvisor: CadvisorPages;
  private readonly live: Live;
  private readonly cgroupTree: CgroupTreeReader;
  private readonly tokenFile: TokenFile;
  private readonly access: TokenAccess;
  private readonly token: string;

  constructor(
    private readonly parts: ConsoleParts,
    config: ConsoleConfig,
    files: () => Promise<ConsoleFiles> = loadBuiltFiles,
  ) {
    const { rootDir, hostRoot } = config;
    this.live = new Live(parts, { ...config, startedMs: parts.clock.now() });
    this.cgroupTree = new CgroupTreeReader(parts.cgroups, new FailureLog(parts.logger, parts.clock));
    this.pages = new ConsolePages(parts, this, files);
    this.cadvisor = new CadvisorPages(parts, hostRoot);
    this.tokenFile = new TokenFile(parts, rootDir);
    this.token = parts.random.hex(tokenBytes);
    this.access = new TokenAccess(this.token, rootDir);
  }

  /** Lets root on this machine in. */
  async start(): Promise<void> {
    await this.tokenFile.remove();
    await this.tokenFile.write('token', this.token);
  }

  async listening(address: string): Promise<void> {
    await this.tokenFile.write('address', address);
  }

  async stop(): Promise<void> {
    await this.live.stop();
    await this.tokenFile.remove();
  }

  refuse(request: Pick<ServerRequest, 'method' | 'path' | 'query' | 'headers'>): Answer | undefined {
    return this.access.refuse(request);
  }

  watch(signal: AbortSignal): AsyncIterable<ConsoleMessage> {
    return this.live.watch(signal);
  }

  watchers(): number {
    return this.live.count;
  }

  pod(
    namespace: string,
    name: string,
    { uid, signal }: { readonly uid?: string; readonly signal?: AbortSignal } = {},
  ): Promise<PodPage | undefined> {
    return readPod(this.parts, { namespace, name, uid }, signal);
  }

  async cgroups(signal?: AbortSignal): Promise<CgroupTree> {
    signal?.throwIfAborted();
    const { pods, statuses, clock } = this.parts;
    const all = pods.getPods().map((pod) => ({ pod, status: statuses.getPodStatus(podUid(pod)) }));
    return this.cgroupTree.read(cgroupOwners(all), clock.now());
  }

  journal(query: JournalQuery, signal?: AbortSignal): Promise<JournalPage> {
    return journalPage(this.parts.journal, query, signal);
  }
}
