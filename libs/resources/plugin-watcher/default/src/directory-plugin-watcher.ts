import { mkdir } from 'node:fs/promises';
import { CLOCK, LOGGER, METRICS, needs, type Health, type Needs } from '@podwright/assembly-interface';
import { Gate, KeyedLanes, WorkQueue } from '@podwright/concurrency';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import type { Sample } from '@podwright/metrics';
import type { PluginHandler, PluginWatcher } from '@podwright/plugin-watcher-interface';
import { BackOff } from '@podwright/time';
import type { DirectoryPluginWatcherConfig } from './directory-watcher-config.js';
import { registerPlugin, type TakenPlugin } from './register-plugin.js';
import { SocketTree } from './socket-tree.js';

// Source: kubernetes v1.36 pkg/util/goroutinemap/exponentialbackoff: durationBeforeRetry doubles up to 2 min 2 s.
const firstPauseMs = 500;
const longestPauseMs = 122_000;
// Limits the open connections when a folder is full of dead sockets.
const parallelRegistrations = 16;

export const pluginWatcherNeeds = needs({
  clock: CLOCK,
  metrics: METRICS,
  logger: LOGGER,
});
export type PluginWatcherNeeds = Needs<typeof pluginWatcherNeeds>;

/** {@link PluginWatcher} on a folder. `desired` holds the sockets in the folder, `actual` the registered plugins. */
export class DirectoryPluginWatcher implements PluginWatcher {
  private readonly handlers = new Map<string, PluginHandler>();
  private readonly desired = new Map<string, string>();
  private readonly actual = new Map<string, TakenPlugin & { readonly identity: string }>();
  private readonly lastTried = new Map<string, number>();
  private readonly backOff: BackOff;
  private readonly due: WorkQueue<string>;
  private readonly lanes: KeyedLanes<string, undefined>;
  private readonly gate = new Gate({ places: parallelRegistrations });
  private readonly tree: SocketTree;
  private readonly ends: (() => void)[] = [];
  private startedAtMs = 0;

  constructor(
    private readonly deps: PluginWatcherNeeds,
    private readonly config: DirectoryPluginWatcherConfig,
  ) {
    const { clock, logger } = deps;
    const { directory, maxPlugins } = config;
    this.backOff = new BackOff({ clock, initialMs: firstPauseMs, maxMs: longestPauseMs });
    this.due = new WorkQueue({ clock });
    this.lanes = new KeyedLanes({
      run: (socket, _value, signal) => this.reconcile(socket, signal),
      onError: (socket, error) => this.deps.logger.error('Plugin operation failed', { socket, error }),
    });
    this.tree = new SocketTree({
      ...{ directory, clock, logger, maxSockets: maxPlugins },
      onChange: (socket, identity) => this.changed(socket, identity),
    });
  }

  async start(): Promise<void> {
    const { directory } = this.config;
    await mkdir(directory, { recursive: true, mode: 0o755 }).catch((error: unknown) => {
      const message = `error (re-)creating root ${directory}: ${messageOf(error)}`;
      throw new KubeletError(message, { code: 'unavailable', cause: error });
    });
    this.ends.push(
      this.deps.metrics.computed({
        name: 'plugin_manager_total_plugins',
        help: 'Number of plugins in Plugin Manager',
        type: 'gauge',
        labels: ['socket_path', 'state'],
        collect: () => this.samples(),
      }),
      this.due.watch((socket) => this.lanes.submit(socket, undefined)),
    );
    this.startedAtMs = this.deps.clock.monotonic();
    await this.tree.scan();
  }

  async stop(): Promise<void> {
    this.tree.stop();
    for (const end of this.ends.splice(0)) end();
    this.due.clear();
    await this.lanes.stop();
  }

  healthy(): Health {
    return this.tree.watching
      ? { ok: true }
      : { ok: false, reason: `${this.config.directory} cannot be watched, it is read from time to time` };
  }

  addHandler(type: string, handler: PluginHandler): () => void {
    this.handlers.set(type, handler);
    // Plugins of this type may have been rejected before.
    for (const socket of this.desired.keys()) {
      if (this.actual.has(socket)) continue;
      this.backOff.reset(socket);
      this.lastTried.delete(socket);
      this.schedule(socket);
    }
    return () => {
      if (this.handlers.get(type) === handler) this.handlers.delete(type);
    };
  }

  private changed(socket: string, identity: string | undefined): void {
    if (identity === undefined) this.desired.delete(socket);
    else this.desired.set(socket, identity);
    this.backOff.reset(socket);
    this.schedule(socket);
  }

  // Tries at once, but at most once per period for a socket that keeps changing, as upstream's loop does.
  private schedule(socket: string, pauseMs = 0): void {
    const last = this.lastTried.get(socket);
    const restMs = last === undefined ? 0 : last + this.config.reconcilePeriodMs - this.deps.clock.monotonic();
    this.due.enqueue(socket, Math.max(0, restMs, pauseMs));
  }

  private async reconcile(socket: string, signal: AbortSignal): Promise<void> {
    this.lastTried.set(socket, this.deps.clock.monotonic());
    const taken = this.actual.get(socket);
    if (taken !== undefined && taken.identity !== this.desired.get(socket)) {
      this.actual.delete(socket);
      await taken.handler
        .deregister(taken.plugin, signal)
        .catch((error: unknown) => this.deps.logger.error('Plugin could not be deregistered', { socket, error }));
    }
    const identity = this.desired.get(socket);
    if (identity === undefined) this.lastTried.delete(socket);
    else if (!this.actual.has(socket)) await this.register(socket, identity, signal);
  }

  private async register(socket: string, identity: string, signal: AbortSignal): Promise<void> {
    const handlerOf = (type: string): PluginHandler | undefined => this.handlers.get(type);
    const { config } = this;
    const { clock } = this.deps;
    const handlersMayCome = clock.monotonic() - this.startedAtMs < config.handlerGraceMs;
    const deps = { clock, config, handlerOf, handlersMayCome };
    try {
      const taken = await this.gate.run(() => registerPlugin(socket, deps, signal), { signal });
      this.actual.set(socket, { ...taken, identity });
      this.backOff.reset(socket);
      this.deps.logger.info('Plugin is registered', { socket, plugin: taken.plugin.name });
      // The socket may have gone meanwhile; then a reconciliation is already due.
    } catch (error) {
      if (signal.aborted) return;
      if (this.desired.get(socket) !== identity) return;
      this.backOff.next(socket);
      const retryInMs = this.backOff.get(socket);
      const { logger } = this.deps;
      // Every start of the kubelet has that, for a plugin that is there already.
      if (hasCode(error, 'unavailable')) logger.info('Plugin waits for its handler', { socket, error, retryInMs });
      else logger.error('Plugin could not be registered', { socket, error, retryInMs });
      this.schedule(socket, retryInMs);
    }
  }

  private *samples(): Iterable<Sample> {
    for (const socket of this.actual.keys())
      yield { value: 1, labels: { socket_path: socket, state: 'actual_state_of_world' } };
    for (const socket of this.desired.keys())
      yield { value: 1, labels: { socket_path: socket, state: 'desired_state_of_world' } };
  }
}
