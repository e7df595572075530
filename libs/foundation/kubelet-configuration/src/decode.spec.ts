import { describe, expect, it } from '@jest/globals';
import { completeConfigurationFile } from './config-file.js';
import { decodeKubeletConfiguration } from './decode.js';
import { defaultEvictionHard, defaultValues } from './default-values.js';
import { defaultKubeletConfiguration } from './defaults.js';
import { FeatureGates } from './feature-gates/feature-gates.js';
import type { KubeletConfiguration, PartialKubeletConfiguration } from './kubelet-configuration.js';
import { kubeletConfigurationSchema } from './schema.js';

const head = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
const gates = FeatureGates.defaults();

function complete(text: string): KubeletConfiguration {
  return completeConfigurationFile(head + text, '/etc/kubelet/config.yaml', { gates }).configuration;
}

describe('decodeKubeletConfiguration', () => {
  it('keeps what the file gives, durations in canonical form', () => {
    const { configuration, warnings } = decodeKubeletConfiguration(
      `${head}syncFrequency: 90s\nmaxPods: 0\nkubeAPIQPS: 0\nlogging: {flushFrequency: 5000000000}\n`,
      'a',
    );
    expect(configuration).toEqual({ syncFrequency: '1m30s', kubeAPIQPS: 0, logging: { flushFrequency: '5s' } });
    expect(warnings).toEqual([]);
  });

  it('warns of unknown and duplicate fields and goes on', () => {
    const { configuration, warnings } = decodeKubeletConfiguration(`${head}maxPod: 5\nport: 1\nport: 2\n`, '/c.yaml');
    expect(configuration).toEqual({ port: 2 });
    expect(warnings).toEqual([
      'Using lenient decoding as strict decoding failed, path: /c.yaml, port: duplicate key (line 5)',
      'Using lenient decoding as strict decoding failed, path: /c.yaml, maxPod: unknown field (did you mean "maxPods"?)',
    ]);
  });

  it.each(['a: b: c', '\tx', '"', 'maxPods: 7', 'foo'])('reads nothing after the first document: %j', (more) => {
    const { configuration, warnings } = decodeKubeletConfiguration(
      `# x\n---\n${head}port: 1\n---\n${more}\n`,
      '/c.yaml',
    );
    expect(configuration).toEqual({ port: 1 });
    expect(warnings).toEqual(['Only the first YAML document counts, the others are ignored, path: /c.yaml']);
  });

  it('takes null as absence, also of a duration that is a pointer', () => {
    const text = `${head}maxPods: null\ncpuCFSQuotaPeriod: null\nlogging: {flushFrequency: null}\nclusterDNS: null\n`;
    expect(decodeKubeletConfiguration(text, '/c.yaml').configuration).toEqual({ logging: {} });
  });

  it.each([
    ['# nothing', 'expected an object with apiVersion and kind, got null'],
    ['kind: KubeletConfiguration', 'apiVersion is not set, expected kubelet.config.k8s.io/v1beta1'],
    [
      head.replace('v1beta1', 'v1'),
      'no kind "KubeletConfiguration" is registered for version "kubelet.config.k8s.io/v1" in scheme "pkg/kubelet/apis/config/scheme/scheme.go:33", expected KubeletConfiguration of kubelet.config.k8s.io/v1beta1',
    ],
    [
      'apiVersion: v1\nkind: Pod\n',
      'no kind "Pod" is registered for version "v1" in scheme "pkg/kubelet/apis/config/scheme/scheme.go:33", expected KubeletConfiguration of kubelet.config.k8s.io/v1beta1',
    ],
    [`${head}maxPods: many`, 'maxPods: expected integer, got "many" (string)'],
    [`${head}syncFrequency: 10`, 'syncFrequency: expected duration (string such as 1m30s), got 10 (number)'],
    [`${head}syncFrequency: null`, 'syncFrequency: time: invalid duration ""'],
    [`---\n---\n${head}`, 'expected an object with apiVersion and kind, got null'],
    [`${head}syncFrequency: 10x`, 'syncFrequency: time: unknown unit "x" in duration "10x"'],
    [`${head}evictionHard: {memory.available: 5}`, 'evictionHard[memory.available]: expected string, got 5 (number)'],
    [
      `${head}authentication: {webhook: {enabled: "yes"}}`,
      'authentication.webhook.enabled: expected boolean, got "yes" (string)',
    ],
  ])('refuses %j', (text, message) => {
    expect(() => decodeKubeletConfiguration(text, '/c.yaml')).toThrow(
      `failed to load kubelet config file, path: /c.yaml, error: failed to load Kubelet config file /c.yaml, error failed to decode: ${message}`,
    );
  });

  it('refuses a file without content', () => {
    expect(() => decodeKubeletConfiguration('', '/c.yaml')).toThrow(
      'failed to load kubelet config file, path: /c.yaml, error: failed to load Kubelet config file /c.yaml, error kubelet config file "/c.yaml" was empty',
    );
  });
});

describe('defaults', () => {
  it('cover exactly the fields of the schema', () => {
    const without = ['apiVersion', 'kind', 'maxParallelImagePulls', 'singleProcessOOMKill', 'tracing'];
    const fields = Object.keys(kubeletConfigurationSchema.fields).filter((name) => !without.includes(name));
    expect(Object.keys(defaultValues).sort()).toEqual(fields.sort());
  });

  it.each<[PartialKubeletConfiguration, Partial<KubeletConfiguration>]>([
    [
      {},
      {
        nodeStatusReportFrequency: '5m0s',
        serializeImagePulls: true,
        crashLoopBackOff: { maxContainerRestartPeriod: '5m0s' },
      },
    ],
    [{ nodeStatusUpdateFrequency: '20s' }, { nodeStatusReportFrequency: '20s' }],
    [{ nodeStatusUpdateFrequency: '20s', nodeStatusReportFrequency: '1m0s' }, { nodeStatusReportFrequency: '1m0s' }],
    [{ maxParallelImagePulls: 2 }, { serializeImagePulls: false }],
    [{ maxParallelImagePulls: 1 }, { serializeImagePulls: true }],
    [{ maxParallelImagePulls: 2, serializeImagePulls: true }, { serializeImagePulls: true }],
    [{ featureGates: { KubeletCrashLoopBackOffMax: false } }, { crashLoopBackOff: {} }],
    [{ featureGates: { KubeletEnsureSecretPulledImages: false } }, { imagePullCredentialsVerificationPolicy: '' }],
    [{ podPidsLimit: -7 }, { podPidsLimit: -1 }],
    [{ enforceNodeAllocatable: [] }, { enforceNodeAllocatable: [] }],
    [
      { authentication: { webhook: { cacheTTL: '1s' } } },
      {
        authentication: {
          x509: { clientCAFile: '' },
          webhook: { enabled: true, cacheTTL: '1s' },
          anonymous: { enabled: false },
        },
      },
    ],
  ])('%j', (given, expected) => {
    expect(defaultKubeletConfiguration(given)).toMatchObject(expected);
  });
});

describe('a configuration file', () => {
  it('has its relative paths resolved against its folder', () => {
    expect(
      complete(
        'staticPodPath: manifests\ntlsCertFile: /abs\npodLogsDir: ../logs\nauthentication: {x509: {clientCAFile: ca.crt}}\n',
      ),
    ).toMatchObject({
      staticPodPath: '/etc/kubelet/manifests',
      tlsCertFile: '/abs',
      podLogsDir: '/etc/logs',
      tlsPrivateKeyFile: '',
      authentication: { x509: { clientCAFile: '/etc/kubelet/ca.crt' } },
    });
  });

  it.each([
    ['', defaultEvictionHard],
    ['evictionHard: {}', {}],
    ['evictionHard: {memory.available: 1Gi}', { 'memory.available': '1Gi' }],
    [
      'evictionHard: {memory.available: 1Gi}\nmergeDefaultEvictionSettings: true',
      { ...defaultEvictionHard, 'memory.available': '1Gi' },
    ],
  ])('%j has its hard thresholds', (text, expected) => {
    expect(complete(text).evictionHard).toEqual(expected);
  });
});
