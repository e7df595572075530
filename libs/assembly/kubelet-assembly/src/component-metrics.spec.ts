import { describe, expect, it } from '@jest/globals';
import { FeatureGates } from '@podwright/kubelet-configuration';
import { createMetricsRegistry } from '@podwright/metrics';
import { registerComponentMetrics } from './component-metrics.js';

describe('metrics of a component', () => {
  it('tell version, gates and the number of metrics', async () => {
    const metrics = createMetricsRegistry();
    registerComponentMetrics(metrics, FeatureGates.defaults().withMap({ ContainerStopSignals: true }));
    metrics.gauge({ name: 'raw', help: 'h', stability: 'none' });
    const text = await metrics.render();
    expect(text).toMatch(
      /^kubernetes_build_info\{.*git_version="v1\.36\.\d+",.*major="1",minor="36",platform="linux\/\w+"\} 1$/m,
    );
    expect(text).toContain('kubernetes_feature_enabled{name="ContainerStopSignals",stage="ALPHA"} 1\n');
    // The counter is there also without the Pods API, as upstream's is.
    expect(text).toContain('kubelet_pod_watch_events_dropped_total 0\n');
    expect(text).toContain('registered_metrics_total{deprecated_version="",stability_level="ALPHA"} 3\n');
    expect(text).toContain('registered_metrics_total{deprecated_version="",stability_level="BETA"} 5\n');
    expect(text).toContain('hidden_metrics_total 0\n');
    expect(text).toContain('disabled_metrics_total 0\n');
    expect(text).toContain('\ncardinality_enforcement_unexpected_categorizations_total 0\n');
  });
});
