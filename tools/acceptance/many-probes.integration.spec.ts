import { describe, expect, it, jest } from '@jest/globals';
import type { Container, Pod, Probe } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { nodeContainer, nodeVolumes } from './node-in-container.js';
import { main, podManifest, script } from './pod-manifests.js';
import { useLab } from './test-lab.js';

// The default keeps the suite short; figures that are published come from 120.
const rounds = Number(process.env['PODWRIGHT_ACCEPTANCE_PROBE_SECONDS'] ?? 5);
const containerCount = 50;
jest.setTimeout(400_000 + rounds * 2000);

const httpPorts = Array.from({ length: 17 }, (_, index) => 8000 + index);
const grpcPorts = Array.from({ length: 16 }, (_, index) => 9000 + index);

// Answers Check of grpc.health.v1.Health with SERVING.
const grpcServer = `
const http2 = require('node:http2');
for (const port of ${JSON.stringify(grpcPorts)}) {
  const server = http2.createServer();
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.from([0, 0, 0, 0, 2, 8, 1]));
  });
  server.listen(port);
}
process.on('SIGTERM', () => process.exit(0));
`;

const servers: readonly Container[] = [
  main({
    name: 'http-server',
    command: [
      ...script(
        `trap "exit 0" TERM; mkdir /www; echo hello > /www/index.html; for p in ${httpPorts.join(' ')}; do httpd -p $p -h /www; done; sleep 1000000 & wait`,
      ),
    ],
  }),
  nodeContainer('grpc-server', grpcServer),
];

function probeOf(index: number): Probe {
  const period = { periodSeconds: 1, timeoutSeconds: 10, failureThreshold: 3 };
  const port = httpPorts[Math.trunc(index / 3)] ?? 8000;
  if (index % 3 === 0) return { ...period, httpGet: { path: '/', port } };
  if (index % 3 === 1) return { ...period, tcpSocket: { port } };
  return { ...period, grpc: { port: grpcPorts[Math.trunc(index / 3)] ?? 9000 } };
}

const successful = 'result="successful"';
const restarts = ({ status }: Pod): number =>
  (status?.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);
const ready = ({ status }: Pod): number => (status?.containerStatuses ?? []).filter((one) => one.ready).length;

/** Sum of the samples of one metric whose labels contain the text. */
function sum(metrics: string, name: string, labels: string): number {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && line.includes(labels))
    .reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
}

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(
  `${containerCount} containers that are probed each second${support.ok ? '' : ` (skipped: ${support.reason})`}`,
  () => {
    const bed = useLab();

    it(`succeed ${rounds} times each, without a restart`, async () => {
      const node = await bed().startNode('probed');
      const probed = Array.from({ length: containerCount }, (_, index) =>
        main({ name: `probed-${index}`, livenessProbe: probeOf(index) }),
      );
      await node.add(
        podManifest('many', {
          volumes: [...nodeVolumes],
          containers: [...servers, ...probed],
          terminationGracePeriodSeconds: 2,
        }),
      );
      await node.waitForPod('many', 'is ready', (pod) => ready(pod) === containerCount + 2, {
        withinMs: 120_000,
        everyMs: 500,
      });
      const metric = 'prober_probe_total';
      const before = await node.kubelet.ask('/metrics/probes');
      const after = await node.waitFor(
        `the probes of ${rounds} seconds`,
        async () => {
          const now = await node.kubelet.ask('/metrics/probes');
          const made = sum(now, metric, successful) - sum(before, metric, successful);
          return made >= rounds * containerCount && now;
        },
        { withinMs: 120_000 + rounds * 2000, everyMs: 500 },
      );
      const pod = await node.pod('many');
      expect(pod && restarts(pod)).toBe(0);
      expect(sum(after, metric, 'result="failed"')).toBe(0);
      // The pod goes with the lab: how containerd copes with the end of fifty containers at once is not the matter here.
    });
  },
);
