import { status } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { RecordingTracer } from '@podwright/tracing-interface/contract';
import { fail, rejection, setUp } from './fixtures/client-under-test.js';

describe('the CRI client', () => {
  it('counts and times calls, and logs one failure of one container once a minute', async () => {
    const { client, logger, metrics, server } = await setUp({ containerStatus: fail(status.INTERNAL, 'no answer') });
    for (const id of ['a', 'a', 'b', 'a']) await rejection(client.containerStatus({ containerId: id }));
    await rejection(client.runtimeConfig({}));
    expect(logger.messages('error')).toEqual([
      'container_status from the runtime failed: no answer',
      'container_status from the runtime failed: no answer',
    ]);
    // What is gone between a list and a look at it is nobody's fault.
    server.handlers.containerStatus = fail(status.NOT_FOUND, 'no such container');
    await rejection(client.containerStatus({ containerId: 'c' }));
    expect(logger.messages('error')).toHaveLength(2);
    const text = await metrics.render();
    expect(text).toContain('kubelet_runtime_operations_total{operation_type="container_status"} 5');
    expect(text).toContain('kubelet_runtime_operations_errors_total{operation_type="container_status"} 5');
    expect(text).toContain('kubelet_runtime_operations_duration_seconds_count{operation_type="version"} 1');
  });

  it('counts a command that fails as an error of exec_sync, as upstream, without a line in the log', async () => {
    let exitCode = 3;
    const { client, logger, metrics } = await setUp({ execSync: () => ({ exitCode }) });
    await expect(client.execSync({ containerId: 'a', cmd: ['false'], timeout: 0n })).resolves.toMatchObject({
      exitCode,
    });
    exitCode = 0;
    await client.execSync({ containerId: 'a', cmd: ['true'], timeout: 0n });
    expect(logger.messages('error')).toEqual([]);
    const text = await metrics.render();
    expect(text).toContain('kubelet_runtime_operations_total{operation_type="exec_sync"} 2');
    expect(text).toContain('kubelet_runtime_operations_errors_total{operation_type="exec_sync"} 1');
  });

  it('makes a span of each call and hands it to the runtime', async () => {
    const tracer = new RecordingTracer();
    const handed: unknown[] = [];
    const { client } = await setUp(
      {
        listContainers: (_request, { metadata }) => {
          handed.push(...metadata.get('traceparent'));
          return {};
        },
        stopContainer: fail(status.NOT_FOUND, 'no such container'),
      },
      { tracer },
    );
    await tracer.trace('syncPod', {}, () => client.listContainers({}));
    await rejection(client.stopContainer({ containerId: 'c' }));
    const [list, stop] = tracer.spans.slice(-2);
    expect(handed).toEqual(['runtime.v1.RuntimeService/ListContainers']);
    expect(list).toMatchObject({
      name: 'runtime.v1.RuntimeService/ListContainers',
      parent: 'syncPod',
      options: { kind: 'client' },
      attributes: { 'rpc.system': 'grpc', 'rpc.service': 'runtime.v1.RuntimeService', 'rpc.method': 'ListContainers' },
    });
    expect(stop).toMatchObject({ name: 'runtime.v1.RuntimeService/StopContainer', parent: undefined });
    expect(stop?.error).toMatchObject({ message: 'no such container' });
  });
});
