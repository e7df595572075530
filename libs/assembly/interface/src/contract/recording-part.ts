import { defineModule } from '../module.js';
import type { AnyModule } from '../module.js';
import type { Lifecycle } from '../lifecycle.js';
import type { Token } from '../token.js';

/** A lifecycle that writes down what happens to it, with a start or stop that can fail or hang. */
export class RecordingPart implements Lifecycle {
  onStart: () => Promise<void> = () => Promise.resolve();
  onStop: () => Promise<void> = () => Promise.resolve();

  constructor(
    readonly name: string,
    private readonly log: string[],
  ) {
    log.push(`construct ${name}`);
  }

  async start(): Promise<void> {
    this.log.push(`start ${this.name}`);
    await this.onStart();
  }
  async stop(): Promise<void> {
    this.log.push(`stop ${this.name}`);
    await this.onStop();
  }
}

/** A module with one recording part behind its token. `prepare` sees the part when it is constructed. */
export function recordingModule(
  name: string,
  token: Token<RecordingPart>,
  needs: readonly Token<unknown>[],
  log: string[],
  prepare: (part: RecordingPart) => void = () => undefined,
): AnyModule {
  return defineModule({
    name,
    provides: [token],
    requires: needs,
    register: (container) =>
      container.register(token, {
        useFactory: (resolver) => {
          for (const need of needs) resolver.resolve(need);
          const part = new RecordingPart(name, log);
          prepare(part);
          return part;
        },
      }),
  });
}
