import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import type { KubeClient } from '@podwright/kube-client-interface';
import type { Pod } from '@podwright/kube-types';
import { createMetricsRegistry } from '@podwright/metrics';
import type { TokenRequestSpec } from '@podwright/service-account-token-interface';
import { VirtualClock } from '@podwright/time';
import { CredentialPlugin } from './credential-plugin.js';
import { registerPluginMetrics } from './plugin-metrics.js';
import type { CredentialProviderConfig, TokenAttributes } from './provider-config.js';
import type { PluginCommand } from './run-plugin.js';

const apiVersion = 'credentialprovider.kubelet.k8s.io/v1';
const answer = (more: object = {}): object => ({
  apiVersion,
  kind: 'CredentialProviderResponse',
  cacheKeyType: 'Image',
  auth: { 'quay.io': { username: 'u', password: 'p' } },
  ...more,
});
const attributes = (more: Partial<TokenAttributes> = {}): TokenAttributes => ({
  serviceAccountTokenAudience: 'aud',
  cacheType: 'ServiceAccount',
  requireServiceAccount: true,
  requiredServiceAccountAnnotationKeys: [],
  optionalServiceAccountAnnotationKeys: [],
  ...more,
});
const podOf = (serviceAccountName = 'app', name = 'web'): Pod => ({
  metadata: { namespace: 'prod', name, uid: `uid-of-${name}` },
  spec: { containers: [], serviceAccountName },
});

class Harness {
  readonly clock = new VirtualClock();
  readonly metrics = createMetricsRegistry();
  readonly commands: PluginCommand[] = [];
  readonly tokenRequests: TokenRequestSpec[] = [];
  output: string = JSON.stringify(answer());
  runMs = 0;
  failure: Error | undefined;
  annotations: Record<string, string> = {};
  token = 'token-1';
  private readonly stopping = new AbortController();
  private readonly plugin: CredentialPlugin;

  constructor(config: Partial<CredentialProviderConfig> = {}, standalone = false) {
    const account = { metadata: { uid: 'sa-uid', namespace: 'prod', name: 'app' } };
    const client = {
      get: async () => ({ metadata: { ...account.metadata, annotations: this.annotations } }),
    } as unknown as Pick<KubeClient, 'get'>;
    const tokens = {
      get: async (_namespace: string, _name: string, spec: TokenRequestSpec) => {
        this.tokenRequests.push(spec);
        return { token: this.token, expirationTimestamp: '' };
      },
    };
    const base = { name: 'plug', matchImages: ['*.io', 'docker.io'], defaultCacheDurationMs: 60_000, apiVersion };
    this.plugin = new CredentialPlugin(
      { ...base, args: ['-a'], env: [{ name: 'B', value: 'c' }], ...config },
      {
        clock: this.clock,
        metrics: registerPluginMetrics(this.metrics, () => undefined),
        run: async (command, signal) => {
          this.commands.push(command);
          if (this.runMs > 0) await this.clock.sleep(this.runMs, signal);
          if (this.failure !== undefined) throw this.failure;
          return this.output;
        },
        env: { A: '1', B: '2' },
        binDir: '/bin/of/plugins',
        stopping: this.stopping.signal,
        ...(!standalone && { client, tokens }),
      },
    );
  }

  get requests(): readonly unknown[] {
    return this.commands.map(({ input }) => JSON.parse(input) as unknown);
  }

  async ask(image = 'quay.io/app', pod = podOf(), signal = new AbortController().signal): Promise<unknown> {
    const entries = await this.plugin.provide(image, pod, signal);
    return entries.map(([registry, { auth, source }]) => [registry, auth.username, source.kind]);
  }
}

const found = [['quay.io', 'u', 'node']];

describe('CredentialPlugin', () => {
  it('asks the program as upstream does', async () => {
    const harness = new Harness();
    expect(await harness.ask()).toEqual(found);
    expect(harness.commands).toEqual([
      {
        file: '/bin/of/plugins/plug',
        args: ['-a'],
        env: { A: '1', B: 'c' },
        input: `{"kind":"CredentialProviderRequest","apiVersion":"${apiVersion}","image":"quay.io/app"}\n`,
      },
    ]);
  });

  it('is not asked for images that it does not name', async () => {
    const harness = new Harness();
    expect(await harness.ask('quay.org/app')).toEqual([]);
    expect(harness.commands).toEqual([]);
  });

  it.each([
    ['Image', {}, ['quay.io/app', 'quay.io/other', 'other.io/app']],
    ['Registry', {}, ['quay.io/app', 'other.io/app']],
    ['Global', {}, ['quay.io/app']],
    ['Image', { cacheDuration: '0s' }, ['quay.io/app', 'quay.io/app', 'quay.io/other', 'other.io/app']],
    ['Global', { cacheDuration: '1h' }, ['quay.io/app']],
  ])('keeps an answer for its %s, %j', async (cacheKeyType, more, asked) => {
    const harness = new Harness();
    harness.output = JSON.stringify(answer({ cacheKeyType, ...more }));
    for (const image of ['quay.io/app', 'quay.io/app', 'quay.io/other', 'other.io/app']) await harness.ask(image);
    expect(harness.requests.map((request) => (request as { image: string }).image)).toEqual(asked);
  });

  it.each([
    [{}, 60_000],
    [{ cacheDuration: '5s' }, 5_000],
    [{ cacheDuration: '1h' }, 3_600_000],
  ])('keeps an answer with %j for %d ms', async (more, durationMs) => {
    const harness = new Harness();
    harness.output = JSON.stringify(answer(more));
    await harness.ask();
    await harness.clock.advance(durationMs);
    await harness.ask();
    expect(harness.commands.length).toBe(1);
    await harness.clock.advance(1);
    await harness.ask();
    expect(harness.commands.length).toBe(2);
  });

  it('asks once for many who want the same, and lets one of them go', async () => {
    const harness = new Harness();
    harness.runMs = 1000;
    const leaving = new AbortController();
    const left = harness
      .ask('quay.io/app', podOf(), leaving.signal)
      .catch((error: unknown) => (error as Error).message);
    const others = Promise.all([harness.ask(), harness.ask(), harness.ask('quay.io/other')]);
    await harness.clock.advance(10);
    leaving.abort(new KubeletError('enough', { code: 'cancelled' }));
    await harness.clock.advance(1000);
    expect(await left).toContain('enough');
    expect(await others).toEqual([found, found, found]);
    expect(harness.commands.length).toBe(2);
  });

  it.each([
    ['no JSON', 'hunter2', "error reading GVK from response: couldn't get version/kind; it is no JSON object"],
    [
      'another version',
      JSON.stringify(answer({ apiVersion: 'x/v1' })),
      `did not match expected apiVersion:${apiVersion}, actual apiVersion:x/v1`,
    ],
    [
      'another kind',
      JSON.stringify(answer({ kind: 'Secret' })),
      'error decoding credential provider plugin response from stdout',
    ],
    [
      'an unknown field',
      JSON.stringify(answer({ hunter2: 1 })),
      'error decoding credential provider plugin response from stdout',
    ],
    [
      'a wrong type',
      JSON.stringify(answer({ auth: { a: 'hunter2' } })),
      'error decoding credential provider plugin response from stdout',
    ],
    [
      'a double field',
      JSON.stringify(answer()).replace('{', '{"kind":"hunter2",'),
      'error decoding credential provider plugin response from stdout',
    ],
    [
      'another key type',
      JSON.stringify(answer({ cacheKeyType: 'Pod' })),
      'credential provider plugin did not return a valid cacheKeyType: Pod',
    ],
  ])('refuses an answer with %s and tells nothing of it', async (_what, output, message) => {
    const harness = new Harness();
    harness.output = output;
    const error = (await harness.ask().catch((reason: unknown) => reason)) as Error;
    expect(error.message).toContain(message);
    expect(error.message).not.toContain('hunter2');
  });

  it('counts and times its runs', async () => {
    const harness = new Harness();
    harness.failure = new KubeletError('exit status 1: why', { code: 'unavailable' });
    await expect(harness.ask()).rejects.toThrow(
      'failed to get credential from external registry credential provider: error execing credential provider plugin plug for image quay.io/app: exit status 1: why',
    );
    const page = await harness.metrics.render();
    expect(page).toContain('kubelet_credential_provider_plugin_errors_total{plugin_name="plug"} 1');
    expect(page).toContain('kubelet_credential_provider_plugin_duration_count{plugin_name="plug"} 1');
  });

  it('gives a program a minute', async () => {
    const harness = new Harness();
    harness.runMs = 1e9;
    const outcome = harness.ask().catch((error: unknown) => KubeletError.from(error).code);
    await harness.clock.advance(59_999);
    expect(harness.clock.pendingTimers).toBeGreaterThan(0);
    await harness.clock.advance(1);
    expect(await outcome).toBe('deadline-exceeded');
    expect(harness.clock.pendingTimers).toBe(0);
  });

  describe('with tokens of service accounts', () => {
    const withTokens = (more: Partial<TokenAttributes> = {}): Harness =>
      new Harness({ tokenAttributes: attributes(more) });

    it('asks for a token that is bound to pod and account, and passes it on with the annotations', async () => {
      const harness = withTokens({
        requiredServiceAccountAnnotationKeys: ['need'],
        optionalServiceAccountAnnotationKeys: ['may', 'absent'],
      });
      harness.annotations = { need: '1', may: '2', other: '3' };
      expect(await harness.ask()).toEqual([['quay.io', 'u', 'service-account']]);
      expect(harness.tokenRequests).toEqual([
        {
          audiences: ['aud'],
          boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'uid-of-web' },
          serviceAccountUid: 'sa-uid',
        },
      ]);
      expect(harness.requests).toEqual([
        {
          kind: 'CredentialProviderRequest',
          apiVersion,
          image: 'quay.io/app',
          serviceAccountToken: 'token-1',
          serviceAccountAnnotations: { need: '1', may: '2' },
        },
      ]);
    });

    it.each<[string, Partial<TokenAttributes>, Pod, number]>([
      ['a required annotation is missing', { requiredServiceAccountAnnotationKeys: ['need'] }, podOf(), 0],
      ['the pod has no account and needs one', {}, podOf(''), 0],
      ['the pod has no account and needs none', { requireServiceAccount: false }, podOf(''), 1],
    ])('when %s', async (_what, more, pod, runs) => {
      const harness = withTokens(more);
      expect(await harness.ask('quay.io/app', pod)).toEqual(runs === 0 ? [] : found);
      expect([harness.commands.length, harness.tokenRequests.length]).toEqual([runs, 0]);
    });

    it.each([
      ['ServiceAccount', 1],
      ['Token', 2],
    ] as const)('keeps answers by %s', async (cacheType, runs) => {
      const harness = withTokens({ cacheType });
      await harness.ask();
      harness.token = 'token-2';
      await harness.ask('quay.io/app', podOf('app', 'other'));
      expect(harness.commands.length).toBe(runs);
    });

    it.each([
      ['ServiceAccount', 'credential provider plugin returned the service account token as the password'],
      ['Token', undefined],
    ] as const)('takes its own token for an answer kept by %s: %s', async (cacheType, refusal) => {
      const harness = withTokens({ cacheType });
      harness.output = JSON.stringify(answer({ auth: { 'quay.io': { username: 'u', password: 'token-1' } } }));
      const outcome = harness.ask();
      if (refusal === undefined) expect(await outcome).toEqual([['quay.io', 'u', 'service-account']]);
      else await expect(outcome).rejects.toThrow(refusal);
    });

    it('fails without an API server', async () => {
      const harness = new Harness({ tokenAttributes: attributes() }, true);
      await expect(harness.ask()).rejects.toThrow(
        'failed to get service account: cannot get ServiceAccounts when kubelet is in standalone mode',
      );
    });
  });
});
