import type { RuntimeService } from '@podwright/cri-client-interface';
import type { Clock } from '@podwright/time';
import { runtimeVersionText } from '../runtime-version.js';
import { waitAtMost } from '../wait-at-most.js';

// Longer than a healthy runtime takes; a status is not held up for more.
const patienceMs = 1_000;

/**
 * The version of the runtime, asked for anew each time, as the runtime can be replaced under a running kubelet. A question
 * that hangs does not hold up the asker: what was known before stands until the call ends.
 */
export class RuntimeVersionProbe {
  private asking: Promise<void> | undefined;

  /** `version`: what the runtime said when the kubelet connected. */
  constructor(
    private readonly runtime: Pick<RuntimeService, 'version'>,
    private readonly clock: Clock,
    private version: () => string,
  ) {}

  /** Never rejects: `Unknown` when the runtime cannot tell. */
  async current(signal: AbortSignal): Promise<string> {
    this.asking ??= this.ask(signal).finally(() => (this.asking = undefined));
    await waitAtMost(this.clock, patienceMs, this.asking);
    return this.version();
  }

  private async ask(signal: AbortSignal): Promise<void> {
    try {
      const { runtimeVersion } = await this.runtime.version({ version: '0.1.0' }, { signal });
      const text = runtimeVersionText(runtimeVersion);
      this.version = () => text;
    } catch {
      // Upstream's word; the condition Ready says why.
      this.version = () => 'Unknown';
    }
  }
}
