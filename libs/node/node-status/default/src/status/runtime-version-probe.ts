import type { RuntimeService } from '@podwright/cri-client-interface';
import type { Clock } from '@podwright/time';
import { runtimeVersionText } from '../runtime-version.js';
import { waitAtMost } from '../wait-at-most.js';

// Longer than a healthy runtime takes; a status update must not wait longer.
const patienceMs = 1_000;

/**
 * Asks for the runtime's version each time, because the runtime can be replaced under a running kubelet. When a call
 * hangs, returns the last known version.
 */
export class RuntimeVersionProbe {
  private asking: Promise<void> | undefined;

  /** `version`: reported when the kubelet connected. */
  constructor(
    private readonly runtime: Pick<RuntimeService, 'version'>,
    private readonly clock: Clock,
    private version: () => string,
  ) {}

  /** Never rejects: `Unknown` when the runtime call fails. */
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
      // Upstream's word; the Ready condition says why.
      this.version = () => 'Unknown';
    }
  }
}
