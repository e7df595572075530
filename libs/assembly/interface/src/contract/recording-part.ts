import { defineModule } from '../module.js';
import type { AnyModule } from '../module.js';
import type { Lifecycle } from '../lifecycle.js';
import type { Token } from '../token.js';

/** A lifecycle that logs its construction, start and stop; `onStart` and `onStop` can make it fail or hang. */
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

/** A module that provides a {@link RecordingPart}. `prepare` runs when the part is constructed. */
export function recordingModule(
  name: string,
  token: Token<RecordingPart>,
  requires: readonly Token<unknown>[],
  log: string[],
  prepare: (part: RecordingPart) => void = () => undefined,
): AnyModule {
  return defineModule({
    name,
    provides: [token],
    needs: Object.fromEntries(requires.entries()),
    create: () => {
      const part = new RecordingPart(name, log);
      prepare(part);
      return part;
    },
  });
}
