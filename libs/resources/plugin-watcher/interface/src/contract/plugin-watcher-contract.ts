import { describe, expect, it } from '@podwright/contract';
import type { PluginInfo, RegistrationStatus } from '../generated/pluginregistration.js';
import type { PluginHandler, PluginWatcher, RegisteredPlugin } from '../plugin-watcher.js';

/** A plugin that serves its registration socket. */
export interface FakePlugin {
  readonly socket: string;
  readonly statuses: readonly RegistrationStatus[];
  /** Ends the plugin's process and removes the socket. */
  remove(): Promise<void>;
}

/** One fresh watcher, not started, on an empty folder. */
export interface PluginWatcherHarness {
  readonly watcher: PluginWatcher;
  /**
   * Serves a plugin on `name`, a path in the folder, and creates the folders of that path. `info` may hang or reject.
   */
  serve(name: string, info: PluginInfo | (() => Promise<PluginInfo>)): Promise<FakePlugin>;
  /** Waits until `seen` is true; rejects when that takes too long. */
  until(seen: () => boolean): Promise<void>;
  /** Waits until the watcher has nothing more to do. */
  settle(): Promise<void>;
}

class Recorder implements PluginHandler {
  readonly calls: string[] = [];
  readonly plugins: RegisteredPlugin[] = [];
  refusal: string | undefined;
  failure: string | undefined;

  async validate(plugin: RegisteredPlugin): Promise<void> {
    this.calls.push(`validate ${plugin.name}`);
    if (this.refusal !== undefined) throw new Error(this.refusal);
  }

  async register(plugin: RegisteredPlugin): Promise<void> {
    this.calls.push(`register ${plugin.name}`);
    this.plugins.push(plugin);
    if (this.failure !== undefined) throw new Error(this.failure);
  }

  async deregister(plugin: RegisteredPlugin): Promise<void> {
    this.calls.push(`deregister ${plugin.name}`);
  }
}

const info = (name: string, more: Partial<PluginInfo> = {}): PluginInfo => ({
  type: 'DevicePlugin',
  endpoint: '',
  supportedVersions: ['v1beta1'],
  ...more,
  name,
});

/** Every implementation of {@link PluginWatcher} passes this suite; `create` gives a new instance per case. */
export function describePluginWatcherContract(name: string, create: () => Promise<PluginWatcherHarness>): void {
  describe(`${name} as a PluginWatcher`, () => {
    const watching = (run: (harness: PluginWatcherHarness, handler: Recorder) => Promise<void>) => async () => {
      const harness = await create();
      const handler = new Recorder();
      harness.watcher.addHandler('DevicePlugin', handler);
      try {
        await run(harness, handler);
      } finally {
        await harness.watcher.stop();
        await harness.watcher.stop();
      }
    };

    it('can be stopped before it was started, and twice', async () => {
      const { watcher } = await create();
      await Promise.all([watcher.stop(), watcher.stop()]);
      await watcher.stop();
    });

    it(
      'takes plugins that were there before, and tells them',
      watching(async ({ watcher, serve, until }, handler) => {
        const plugin = await serve('a.sock', info('a', { endpoint: '/run/a.sock' }));
        await watcher.start();
        await until(() => plugin.statuses.length > 0);
        expect(handler.calls).toEqual(['validate a', 'register a']);
        expect(handler.plugins).toEqual([{ name: 'a', endpoint: '/run/a.sock', versions: ['v1beta1'] }]);
        expect(plugin.statuses).toEqual([{ pluginRegistered: true, error: '' }]);
        expect(watcher.healthy()).toEqual({ ok: true });
      }),
    );

    it(
      'takes plugins that come later, in folders too; without an endpoint it is the socket',
      watching(async ({ watcher, serve, until }, handler) => {
        await watcher.start();
        const plugin = await serve('deep/er/b.sock', info('b'));
        await until(() => plugin.statuses.length > 0);
        expect(handler.plugins).toEqual([{ name: 'b', endpoint: plugin.socket, versions: ['v1beta1'] }]);
      }),
    );

    it(
      'passes over names with a dot in front',
      watching(async ({ watcher, serve, settle }, handler) => {
        await watcher.start();
        await serve('.hidden.sock', info('hidden'));
        await serve('.folder/c.sock', info('c'));
        await settle();
        expect(handler.calls).toEqual([]);
      }),
    );

    it(
      'deregisters what is gone, and registers anew what comes again',
      watching(async ({ watcher, serve, until }, handler) => {
        await watcher.start();
        const first = await serve('a.sock', info('a'));
        await until(() => first.statuses.length > 0);
        await first.remove();
        await until(() => handler.calls.includes('deregister a'));
        const second = await serve('a.sock', info('a', { endpoint: '/new' }));
        await until(() => second.statuses.length > 0);
        expect(handler.calls).toEqual(['validate a', 'register a', 'deregister a', 'validate a', 'register a']);
        expect(handler.plugins.at(-1)?.endpoint).toBe('/new');
      }),
    );

    it.each<[string, (handler: Recorder) => PluginInfo, (socket: string) => string]>([
      [
        'of a type without a handler',
        () => info('a', { type: 'Toaster' }),
        (socket) => `RegisterPlugin error -- no handler registered for plugin type: Toaster at socket ${socket}`,
      ],
      [
        'that is not valid',
        (handler) => {
          handler.refusal = 'too old';
          return info('a');
        },
        () => 'RegisterPlugin error -- plugin validation failed with err: too old',
      ],
      [
        'that cannot be registered',
        (handler) => {
          handler.failure = 'no room';
          return info('a');
        },
        () => 'RegisterPlugin error -- plugin registration failed with err: no room',
      ],
    ])('tells a plugin %s why', async (_case, prepare, text) => {
      await watching(async ({ watcher, serve, until }, handler) => {
        const told = prepare(handler);
        await watcher.start();
        const plugin = await serve('a.sock', told);
        await until(() => plugin.statuses.length > 0);
        expect(plugin.statuses[0]).toEqual({ pluginRegistered: false, error: text(plugin.socket) });
      })();
    });

    it(
      'tries again what failed, and what had no handler as soon as it has one',
      watching(async ({ watcher, serve, until }, handler) => {
        handler.failure = 'not yet';
        await watcher.start();
        const slow = await serve('slow.sock', info('slow'));
        const other = await serve('other.sock', info('other', { type: 'DRAPlugin' }));
        await until(() => slow.statuses.length > 0 && other.statuses.length > 0);
        handler.failure = undefined;
        const late = new Recorder();
        watcher.addHandler('DRAPlugin', late);
        const registered = ({ statuses }: FakePlugin): boolean => statuses.at(-1)?.pluginRegistered === true;
        await until(() => registered(slow) && registered(other));
        expect(late.calls).toEqual(['validate other', 'register other']);
      }),
    );

    it(
      'is not held up by a plugin that does not say what it is',
      watching(async ({ watcher, serve, until }, handler) => {
        await watcher.start();
        await serve('mute.sock', () => new Promise<never>(() => undefined));
        await serve('rude.sock', () => Promise.reject(new Error('go away')));
        const good = await serve('z.sock', info('z'));
        await until(() => good.statuses.length > 0);
        expect(handler.calls).toEqual(['validate z', 'register z']);
      }),
    );
  });
}
