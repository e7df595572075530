import type { MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';

type Phase = '' | '_pre_kubelet' | '_pre_registration' | '_registration' | '_post_registration';

const helps: Readonly<Record<Phase, string>> = {
  '': 'Duration in seconds of node startup in total.',
  _pre_kubelet: 'Duration in seconds of node startup before kubelet starts.',
  _pre_registration: 'Duration in seconds of node startup before registration.',
  _registration: 'Duration in seconds of node startup during registration.',
  _post_registration: 'Duration in seconds of node startup after registration.',
};

/**
 * Metrics of the time from boot to Ready of a new node; all stay 0 for a node that was registered before. Source:
 * kubernetes v1.36 pkg/kubelet/util/node_startup_latency_tracker.go.
 */
export class StartupLatency {
  private readonly startedAtMs: number;
  private attemptedAtMs: number | undefined;
  private registeredAtMs: number | undefined;
  private ready = false;
  private readonly gauges: Readonly<Record<Phase, { set(value: number): void }>>;

  /** `bootedAtMs`: undefined when the machine does not report it. */
  constructor(
    metrics: MetricsRegistry,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly bootedAtMs: number | undefined,
  ) {
    this.startedAtMs = clock.now();
    const gauge = (phase: Phase): { set(value: number): void } => {
      const made = metrics.gauge({ name: `kubelet_node_startup${phase}_duration_seconds`, help: helps[phase] });
      made.set(0);
      return made;
    };
    this.gauges = {
      '': gauge(''),
      _pre_kubelet: gauge('_pre_kubelet'),
      _pre_registration: gauge('_pre_registration'),
      _registration: gauge('_registration'),
      _post_registration: gauge('_post_registration'),
    };
  }

  attempted(): void {
    this.attemptedAtMs ??= this.clock.now();
  }

  /** Call it when the API server has accepted a new Node; later calls do nothing. */
  registeredNew(): void {
    if (this.attemptedAtMs === undefined || this.registeredAtMs !== undefined) return;
    this.registeredAtMs = this.clock.now();
    if (this.bootedAtMs !== undefined) this.gauges._pre_kubelet.set(seconds(this.bootedAtMs, this.startedAtMs));
    this.gauges._pre_registration.set(seconds(this.startedAtMs, this.attemptedAtMs));
    this.gauges._registration.set(seconds(this.attemptedAtMs, this.registeredAtMs));
  }

  /** Call it when the API server has accepted a Ready status; later calls do nothing. */
  becameReady(): void {
    if (this.registeredAtMs === undefined || this.ready) return;
    this.ready = true;
    const now = this.clock.now();
    this.gauges._post_registration.set(seconds(this.registeredAtMs, now));
    if (this.bootedAtMs !== undefined) this.gauges[''].set(seconds(this.bootedAtMs, now));
  }
}

const seconds = (fromMs: number, toMs: number): number => (toMs - fromMs) / 1_000;
