import type { Lifecycle } from '@podwright/assembly-interface';
import type { Logger } from '@podwright/logging';
import { runProgram, type RunProgram } from '@podwright/program';
import type { Clock } from '@podwright/time';
import { monitorFlushes } from './flush-monitor.js';
import type { IptablesConfig } from './iptables-config.js';
import { Iptables } from './iptables.js';
import { syncKubeletRules } from './kubelet-rules.js';

/**
 * Keeps the kubelet's iptables chains, which other components rely on and the kubelet itself does not; so no failure
 * here keeps the node from working. The rules stay when it stops. Source: kubernetes v1.36
 * pkg/kubelet/kubelet_network_linux.go initNetworkUtil.
 */
export class IptablesRules implements Lifecycle {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly deps: { readonly clock: Clock; readonly logger: Logger },
    private readonly config: IptablesConfig,
    private readonly run: RunProgram = runProgram,
  ) {}

  async start(): Promise<void> {
    this.running ??= this.keep(this.stopping.signal).catch((error: unknown) => {
      if (!this.stopping.signal.aborted) this.deps.logger.error('The iptables rules are not kept any more', { error });
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async keep(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.deps;
    const families: Iptables[] = [];
    for (const protocol of ['IPv4', 'IPv6'] as const) {
      const family = await Iptables.open(protocol, { run: this.run, clock }, signal);
      if (family !== undefined) families.push(family);
    }
    if (families.length === 0) {
      logger.info('No iptables support on this system; not creating the KUBE-IPTABLES-HINT chain');
      return;
    }
    const monitors = [];
    for (const family of families) {
      const { protocol } = family;
      if (await syncKubeletRules(family, logger, signal)) {
        logger.info('Initialized iptables rules.', { protocol });
        monitors.push(this.monitor(family, signal));
      } else {
        logger.info('Failed to initialize iptables rules; some functionality may be missing.', { protocol });
      }
    }
    await Promise.all(monitors);
  }

  private monitor(family: Iptables, signal: AbortSignal): Promise<void> {
    const { logger } = this.deps;
    const reload = async (): Promise<void> => void (await syncKubeletRules(family, logger, signal));
    return monitorFlushes(family, this.deps, { periodMs: this.config.canaryPeriodMs, reload }, signal);
  }
}
