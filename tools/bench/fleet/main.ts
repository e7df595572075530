import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKubeClient } from '@podwright/kube-client';
import { createKubeTransport } from '@podwright/kube-transport';
import { createLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSystemClock, createSystemRandom } from '@podwright/time';
import { buildExecutable } from '../../build/executable.js';
import { repositoryRoot } from '../../workspace/repository-root.js';
import { measureFleet } from './measure-fleet.js';
import { HollowProcess } from './hollow-process.js';
import { parseFleetOptions } from './options.js';

const options = parseFleetOptions(process.argv.slice(2));
// Files of a thousand nodes are best in memory.
const dir = await mkdtemp('/dev/shm/podwright-fleet-');
const kubeconfig = options.kubeconfig ?? path.join(dir, 'admin.kubeconfig');
const server = options.kubeconfig === undefined ? startServer(kubeconfig) : undefined;
const { file } = await buildExecutable('hollow-kubelet');
const parts = { clock: createSystemClock(), metrics: createMetricsRegistry() };
const common = { ...parts, logger: createLogger({ clock: parts.clock }) };
while (!existsSync(kubeconfig)) await sleep(50);
const transport = createKubeTransport(common, { kubeconfig });
const unlimited = { qps: 10_000, burst: 10_000 };
const client = createKubeClient({ ...common, transport, random: createSystemRandom() }, unlimited);
try {
  await transport.start();
  await client.start();
  const rows = await measureFleet({
    ...options,
    client,
    start: (args) => {
      const all = [...args, '--kubeconfig', kubeconfig, '--data-dir', path.join(dir, 'nodes')];
      return HollowProcess.start(file, all, path.join(dir, 'fleet.log'));
    },
    ...(server && { serverPid: server.pid }),
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  for (const [label, value] of rows) console.log(`${label.padEnd(38)} ${value}`);
} finally {
  await client.stop();
  await transport.stop();
  await server?.stop();
  await rm(dir, { recursive: true, force: true });
}

function startServer(file: string): HollowProcess {
  const run = path.join(repositoryRoot, 'tools/bootstrap/run.mjs');
  const entry = path.join(repositoryRoot, 'tools/bench/fleet/memory-server.ts');
  return HollowProcess.start(run, [entry, file], path.join(dir, 'server.log'));
}
