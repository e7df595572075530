import { afterEach } from '@jest/globals';
import { breaks, describeContractProof, refusesSecondStop } from '@podwright/contract';
import type { PluginHandler, RegisteredPlugin } from '@podwright/plugin-watcher-interface';
import { describePluginWatcherContract } from '@podwright/plugin-watcher-interface/contract';
import type { FakePlugin, PluginWatcherHarness } from '@podwright/plugin-watcher-interface/contract';
import { eventually } from '@podwright/time';
import { cleanHarnesses, createWatcherHarness } from './fixtures/watcher-harness.js';

afterEach(cleanHarnesses);

type Broken = (good: PluginWatcherHarness) => Partial<PluginWatcherHarness>;
type Status = { readonly pluginRegistered: boolean; readonly error: string };

// What is broken does not come, however long one waits.
const broken =
  (change: Broken): Broken =>
  (good) => ({ until: (seen) => eventually(seen, 600), ...change(good) });
/** One that does something else with its handlers. */
const handing = (change: (handler: PluginHandler) => Partial<PluginHandler>): Broken =>
  broken(({ watcher }) => ({
    watcher: breaks(watcher, {
      addHandler: (type, handler) => watcher.addHandler(type, breaks(handler, change(breaks(handler, {})))),
    }),
  }));
const registering = (change: (plugin: RegisteredPlugin) => RegisteredPlugin): Broken =>
  handing((handler) => ({ register: (plugin, signal) => handler.register(change(plugin), signal) }));
const telling = (change: (status: Status) => readonly Status[]): Broken =>
  broken(({ serve }) => ({
    serve: async (...args) => {
      const plugin = await serve(...args);
      return breaks(plugin, {
        get statuses() {
          return plugin.statuses.flatMap((status) => change(status));
        },
      });
    },
  }));
const seeingAt = (place: (name: string) => string): Broken =>
  broken(({ serve }) => ({ serve: (name, info) => serve(place(name), info) }));
/** One that has taken what it should not see when there seems to be nothing more to do. */
const takingInTime =
  (place: (name: string) => string): Broken =>
  ({ serve }) => {
    const seen: FakePlugin[] = [];
    return {
      serve: async (name, info) => {
        const plugin = await serve(place(name), info);
        if (place(name) !== name) seen.push(plugin);
        return plugin;
      },
      settle: () => eventually(() => seen.every(({ statuses }) => statuses.length > 0)),
    };
  };
const tellsNothing = telling(() => []);
/** Of the handlers that are added, only those that come so early. */
const takingHandlers = (most: number): Broken =>
  broken(({ watcher }) => {
    let added = 0;
    return {
      watcher: breaks(watcher, {
        addHandler: (type, handler) => (++added > most ? () => undefined : watcher.addHandler(type, handler)),
      }),
    };
  });

describeContractProof(
  'PluginWatcher',
  (create) => describePluginWatcherContract('a broken PluginWatcher', create),
  (): Promise<PluginWatcherHarness> => createWatcherHarness(),
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('watcher'),
    },
    'takes plugins that were there before, and tells them': {
      'it does not see them': seeingAt((name) => `.${name}`),
      'it hands them to nobody': takingHandlers(0),
      'its versions are lost': registering((plugin) => ({ ...plugin, versions: [] })),
      'it tells of a failure': telling((status) => [{ ...status, error: 'no' }]),
      'it is not healthy': broken(({ watcher }) => ({
        watcher: breaks(watcher, { healthy: () => ({ ok: false, reason: 'busy' }) }),
      })),
    },
    'takes plugins that come later, in folders too; without an endpoint it is the socket': {
      'it does not look into folders': seeingAt((name) => name.replace('deep', '.deep')),
      'the endpoint is empty': registering((plugin) => ({ ...plugin, endpoint: '' })),
    },
    'passes over names with a dot in front': {
      'it takes them': takingInTime((name) => name.replace('.hidden', 'hidden')),
      'it looks into such folders': takingInTime((name) => name.replace('.folder', 'folder')),
    },
    'deregisters what is gone, and registers anew what comes again': {
      'it does not deregister': handing(() => ({ deregister: () => Promise.resolve() })),
      'it deregisters twice': handing((handler) => ({
        deregister: async (plugin, signal) => {
          await handler.deregister(plugin, signal);
          await handler.deregister(plugin, signal);
        },
      })),
      'the endpoint is the former one': registering((plugin) => ({ ...plugin, endpoint: '/old' })),
    },
    'tells a plugin %s why': {
      'it tells it nothing': tellsNothing,
      'it tells it that all is well': telling((status) => [{ ...status, pluginRegistered: true }]),
      'it does not tell it why': telling((status) => [{ ...status, error: 'RegisterPlugin error' }]),
    },
    'tries again what failed, and what had no handler as soon as it has one': {
      'it tries once': telling((status) => (status.pluginRegistered ? [] : [status])),
      'a handler that comes late is not noticed': takingHandlers(1),
      'it asks the late handler twice': handing((handler) => ({
        validate: async (plugin, signal) => {
          await handler.validate(plugin, signal);
          await handler.validate(plugin, signal);
        },
      })),
    },
    'is not held up by a plugin that does not say what it is': {
      'it is': tellsNothing,
      'it takes it all the same': handing((handler) => ({
        register: async (plugin, signal) => {
          await handler.register(plugin, signal);
          await handler.validate({ ...plugin, name: 'rude' }, signal);
        },
      })),
    },
  },
);
