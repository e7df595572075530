import { rm } from 'node:fs/promises';
import path from 'node:path';
import type {
  CgroupTree,
  Console,
  ConsoleMessage,
  JournalPage,
  JournalQuery,
  PodPage,
} from '@podwright/console-interface';
import { KubeletError } from '@podwright/errors';
import { text, type Answer } from '@podwright/http-answer';
import type { LoopbackListener, ServerRequest, ServerRoute } from '@podwright/server-interface';
import { consoleAddress } from './console-address.js';
import type { ConsoleConfig } from './console-config.js';
import { neededToShow, type ConsoleNeeds, type ConsoleParts } from './console-needs.js';
import type { OpenConsole } from './open-console.js';

type Handler = (open: OpenConsole, request: ServerRequest) => Promise<Answer> | Answer;

const pages: Readonly<Record<string, Handler>> = {
  '/console': ({ pages }, request) => pages.index(request),
  '/console/assets/{name}': ({ pages }, request) => pages.asset(request),
  '/console/live': ({ pages }, request) => pages.live(request),
  '/console/data/pods/{namespace}/{name}': ({ pages }, request) => pages.pod(request),
  '/console/data/pods/{namespace}/{name}/containers/{container}/logs': ({ pages }, request) => pages.logs(request),
  '/console/data/cgroups': ({ pages }, request) => pages.cgroups(request),
  '/console/data/journal': ({ pages }, request) => pages.journal(request),
};
const cadvisorPages: Readonly<Record<string, Handler>> = {
  '/api/v1.3/machine': ({ cadvisor }) => cadvisor.machine(),
  '/api/v1.3/containers/{path...}': ({ cadvisor }, request) => cadvisor.container(request),
  '/api/v1.3/subcontainers/{path...}': ({ cadvisor }, request) => cadvisor.subcontainers(request),
};

/** {@link Console} that loads what it consists of only when it is switched on, and works only while somebody asks. */
export class NodeConsole implements Console {
  private open: OpenConsole | undefined;
  private listensOn: string | undefined;

  constructor(
    private readonly deps: ConsoleNeeds,
    private readonly config: ConsoleConfig,
  ) {}

  get enabled(): boolean {
    return this.config.address !== '';
  }

  async start(): Promise<void> {
    const { rootDir } = this.config;
    // A kubelet that was killed leaves its token, which would be of no use.
    if (!this.enabled) return rm(path.join(rootDir, 'console'), { recursive: true, force: true });
    const parts = this.parts();
    const { OpenConsole } = await import('./open-console.js');
    const open = new OpenConsole(parts, this.config);
    await open.start();
    this.open = open;
  }

  async stop(): Promise<void> {
    const { open } = this;
    this.open = undefined;
    this.listensOn = undefined;
    await open?.stop();
  }

  address(): string | undefined {
    return this.listensOn;
  }

  watch(signal: AbortSignal): AsyncIterable<ConsoleMessage> {
    return this.opened().watch(signal);
  }

  watchers(): number {
    return this.open?.watchers() ?? 0;
  }

  async pod(
    namespace: string,
    name: string,
    options?: { readonly uid?: string; readonly signal?: AbortSignal },
  ): Promise<PodPage | undefined> {
    return this.opened().pod(namespace, name, options);
  }

  async cgroups(signal?: AbortSignal): Promise<CgroupTree> {
    return this.opened().cgroups(signal);
  }

  async journal(query: JournalQuery, signal?: AbortSignal): Promise<JournalPage> {
    return this.opened().journal(query, signal);
  }

  /** The routes of the main port, behind its access control. */
  routes(): readonly ServerRoute[] {
    return this.enabled ? this.allRoutes() : [];
  }

  listeners(): readonly LoopbackListener[] {
    const { address } = this.config;
    const where = address === '' ? undefined : consoleAddress(address);
    if (where === undefined || typeof where === 'string') return [];
    return [
      {
        ...{ name: 'the console', fields: '--console-address', ...where, routes: this.allRoutes() },
        refuse: (request) => (this.open === undefined ? notStarted : this.open.refuse(request)),
        opened: async (listensOn) => {
          await this.opened().listening(listensOn);
          this.listensOn = listensOn;
        },
      },
    ];
  }

  private allRoutes(): readonly ServerRoute[] {
    const handle =
      (handler: Handler): ServerRoute['handle'] =>
      (request) =>
        this.open === undefined ? notStarted : handler(this.open, request);
    return [
      // Logs of containers are among them, which enableDebuggingHandlers switches off.
      ...Object.entries(pages).map(([route, handler]) => ({
        ...{ path: route, methods: ['GET'], metricPath: 'console', debugging: true, handle: handle(handler) },
      })),
      // The body of a POST is a query, too: clients of cAdvisor send it so.
      ...Object.entries(cadvisorPages).map(([route, handler]) => ({
        ...{ path: route, methods: ['GET', 'POST'], metricPath: 'api', handle: handle(handler) },
      })),
    ];
  }

  private opened(): OpenConsole {
    if (this.open !== undefined) return this.open;
    const message = this.enabled
      ? 'the console is not started'
      : 'the console is off: --console-address switches it on';
    throw new KubeletError(message, { code: 'unavailable' });
  }

  private parts(): ConsoleParts {
    const { explainer, journal, ...others } = this.deps;
    if (explainer !== undefined && journal !== undefined) return { ...others, explainer, journal };
    // An assembly has refused this already.
    const missing = explainer === undefined ? 'explainer' : 'journal';
    throw new KubeletError(
      `the console needs the ${missing}: pass it, or leave the address empty (${neededToShow[missing]})`,
      { code: 'failed-precondition' },
    );
  }
}

const notStarted: Answer = text(503, 'the console is not started\n');
