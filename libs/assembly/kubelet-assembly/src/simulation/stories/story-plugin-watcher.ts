import { CLOCK, defineModule, needs, type AnyModule } from '@podwright/assembly-interface';
import { PLUGIN_WATCHER, type PluginHandler, type RegisteredPlugin } from '@podwright/plugin-watcher-interface';
import type { Clock, Timer } from '@podwright/time';

export type PluginType = 'CSIPlugin' | 'DRAPlugin';

interface Plugin {
  readonly plugin: RegisteredPlugin;
  /** Whether its socket is there. */
  present: boolean;
}

const foundAfterMs = 300;
const retriedAfterMs = 1_000;

/** The sockets of drivers on a machine, and the watcher of each kubelet that finds them. */
export class StoryPluginWatcher {
  private readonly plugins = new Map<PluginType, Plugin>();
  /** Of the newest kubelet. */
  private registrations = new Map<PluginType, Registration>();

  /** Of each kubelet. */
  readonly module: AnyModule = defineModule({
    name: 'story-plugin-watcher',
    provides: [PLUGIN_WATCHER],
    needs: needs({ clock: CLOCK }),
    create: ({ clock }) => {
      const registrations = new Map<PluginType, Registration>();
      this.registrations = registrations;
      return {
        start: async () => undefined,
        stop: async () => undefined,
        healthy: () => ({ ok: true as const }),
        addHandler: (type: string, handler: PluginHandler) => {
          const plugin = this.plugins.get(type as PluginType);
          if (plugin === undefined) return () => undefined;
          const registration = new Registration(clock, handler, plugin);
          registrations.set(type as PluginType, registration);
          registration.lookSoon(foundAfterMs);
          return () => registration.end();
        },
      };
    },
  });

  /** A driver of the machine. */
  add(type: PluginType, plugin: RegisteredPlugin): void {
    this.plugins.set(type, { plugin, present: true });
  }

  /** Its socket disappears, or is there again. */
  set(type: PluginType, present: boolean): void {
    const plugin = this.plugins.get(type);
    if (plugin !== undefined) plugin.present = present;
    this.registrations.get(type)?.lookSoon(foundAfterMs);
  }
}

/** A plugin, as one kubelet knows it. One call of the handler comes after another. */
class Registration {
  private readonly ended = new AbortController();
  private registered = false;
  private busy = false;
  private timer: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly handler: PluginHandler,
    private readonly known: Plugin,
  ) {}

  lookSoon(afterMs: number): void {
    this.timer?.cancel();
    this.timer = this.clock.setTimer(afterMs, () => this.look());
  }

  end(): void {
    this.timer?.cancel();
    this.ended.abort();
  }

  private look(): void {
    if (this.busy || this.registered === this.known.present) return;
    this.busy = true;
    this.change(this.known.present).then(
      () => this.over(0),
      () => this.over(retriedAfterMs),
    );
  }

  private over(lookAfterMs: number): void {
    this.busy = false;
    if (!this.ended.signal.aborted && this.registered !== this.known.present) this.lookSoon(lookAfterMs);
  }

  private async change(present: boolean): Promise<void> {
    const { handler, known } = this;
    const { signal } = this.ended;
    if (present) {
      await handler.validate(known.plugin, signal);
      await handler.register(known.plugin, signal);
    } else {
      // Whether it succeeds or not: the watcher only logs a failure.
      await handler.deregister(known.plugin, signal).catch(() => undefined);
    }
    this.registered = present;
  }
}
