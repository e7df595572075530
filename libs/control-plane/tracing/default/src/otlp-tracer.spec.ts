import { describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { describeTracerContract, TestCollector } from '@podwright/tracing-interface/contract';
import { collectorUrl } from './collector-url.js';
import { createContractHarness } from './fixtures/contract-harness.js';
import { sdkErrorMessage } from './sdk-error-message.js';
import { createOtlpTracer } from './otlp-tracer.module.js';

describeTracerContract('OtlpTracer', createContractHarness);

describe('OtlpTracer', () => {
  it('says which service on which host it is', async () => {
    const { tracer, collector, finish } = await createContractHarness();
    await tracer.trace('a', {}, async () => undefined);
    await finish();
    expect(collector.resources).toEqual([{ 'service.name': 'kubelet', 'host.name': 'node-1' }]);
  });

  it('begins no traces of its own at rate 0, and does work without spans before the start and after the stop', async () => {
    const collector = await TestCollector.listen();
    const tracer = createOtlpTracer(
      { clock: new VirtualClock(), logger: createMemoryLogger() },
      { endpoint: collector.address },
    );
    const work = async (): Promise<number> => 7;
    expect(await tracer.trace('before', {}, work)).toBe(7);
    await tracer.start();
    expect(await tracer.trace('while', {}, work)).toBe(7);
    await tracer.stop();
    await tracer.stop();
    expect(await tracer.trace('after', {}, work)).toBe(7);
    expect(tracer.propagation()).toEqual({});
    collector.close();
    expect(collector.spans).toEqual([]);
  });

  it('does not wait for a collector that is away', async () => {
    const clock = new VirtualClock();
    const logger = createMemoryLogger();
    const collector = await TestCollector.listen({ silent: true });
    const tracer = createOtlpTracer(
      { clock, logger },
      { endpoint: collector.address, samplingRatePerMillion: 1_000_000, stopTimeoutMs: 100 },
    );
    await tracer.start();
    await tracer.trace('a', {}, async () => undefined);
    const stopped = tracer.stop();
    await collector.asked;
    await clock.advance(100);
    await stopped;
    collector.close();
    expect(logger.entries.map(({ message }) => message)).toContain('The last spans were not sent');
  });

  it.each([
    ['plain words', 'plain words'],
    [
      '{"stack":"Error: 14 UNAVAILABLE\\n at x","message":"14 UNAVAILABLE: no connection","code":"14"}',
      '14 UNAVAILABLE: no connection',
    ],
    ['{"code":14}', '{"code":14}'],
  ])('tells of %s', (text, told) => {
    expect(sdkErrorMessage(text)).toBe(told);
  });

  it.each([
    ['localhost:4317', 'http://localhost:4317'],
    ['dns:collector:4317', 'http://collector:4317'],
    ['dns://8.8.8.8/collector:4317', 'http://collector:4317'],
    ['dns:///collector:4317', 'http://collector:4317'],
    ['[::1]:4317', 'http://[::1]:4317'],
    ['unix:/run/otel.sock', 'unix:///run/otel.sock'],
    ['unix:///run/otel.sock', 'unix:///run/otel.sock'],
  ])('reaches %s', (endpoint, url) => {
    expect(collectorUrl(endpoint)).toBe(url);
  });

  it('names the option that is out of range, and an endpoint that it cannot reach', async () => {
    const deps = { clock: new VirtualClock(), logger: createMemoryLogger() };
    expect(() => createOtlpTracer(deps, { samplingRatePerMillion: -1 })).toThrow(
      'tracing options: samplingRatePerMillion',
    );
    await expect(createOtlpTracer(deps, { endpoint: 'unix-abstract:otel' }).start()).rejects.toThrow(
      'tracing.endpoint "unix-abstract:otel": abstract sockets cannot be reached',
    );
  });
});
