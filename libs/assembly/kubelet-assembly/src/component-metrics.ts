import type { FeatureGates } from '@podwright/kubelet-configuration';
import type { MetricsRegistry } from '@podwright/metrics';
import { droppedPodEvents } from '@podwright/pods-api';
import { version } from './version.js';

const stability = 'BETA';

/**
 * Registers what every Kubernetes component reports about itself: version, feature gates and number of metrics. Source:
 * kubernetes v1.36 component-base/metrics (version.go, registry.go, options.go, prometheus/feature).
 */
export function registerComponentMetrics(metrics: MetricsRegistry, gates: FeatureGates): void {
  registerBuildInfo(metrics);
  metrics.computed({
    type: 'gauge',
    name: 'kubernetes_feature_enabled',
    help: 'This metric records the data about the stage and enablement of a k8s feature.',
    labels: ['name', 'stage'],
    stability,
    collect: () =>
      gates.all().map(({ name, stage, enabled }) => ({
        value: enabled ? 1 : 0,
        // Upstream writes general availability as an empty stage.
        labels: { name, stage: stage === 'GA' ? '' : stage.toUpperCase() },
      })),
  });
  metrics.computed({
    type: 'counter',
    name: 'registered_metrics_total',
    help: 'The count of registered metrics broken by stability level and deprecation version.',
    labels: ['stability_level', 'deprecated_version'],
    stability,
    collect: () => {
      const counts = new Map<string, number>();
      for (const { stability: level } of metrics.describe()) {
        if (level !== 'none') counts.set(level, (counts.get(level) ?? 0) + 1);
      }
      // No metric here is deprecated.
      return [...counts].map(([level, value]) => ({
        value,
        labels: { stability_level: level, deprecated_version: '' },
      }));
    },
  });
  metrics.counter({ name: 'disabled_metrics_total', help: 'The count of disabled metrics.', stability });
  metrics.counter({ name: 'hidden_metrics_total', help: 'The count of hidden metrics.', stability });
  metrics.counter({
    name: 'cardinality_enforcement_unexpected_categorizations_total',
    help: 'The count of unexpected categorizations during cardinality enforcement.',
  });
  if (!gates.enabled('PodsAPI')) droppedPodEvents(metrics);
}

function registerBuildInfo(metrics: MetricsRegistry): void {
  const [major = '', minor = ''] = version.slice(1).split('.');
  const arch = { x64: 'amd64', ia32: '386' }[process.arch as string] ?? process.arch;
  const labels = {
    major,
    minor,
    git_version: version,
    // This is not a Go program, and a build has no commit or date in it.
    ...{ git_commit: '', git_tree_state: '', build_date: '', go_version: '', compiler: '' },
    platform: `${process.platform}/${arch}`,
  };
  metrics
    .gauge({
      name: 'kubernetes_build_info',
      help: "A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
      labels: Object.keys(labels),
      stability,
    })
    .set(1, labels);
}
