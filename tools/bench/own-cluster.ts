import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { missingProgram, RealApiServer } from '@podwright/test-apiserver/real';
import type { BenchCluster } from './options.js';

export interface OwnCluster extends BenchCluster {
  stop(): Promise<void>;
}

const nodeName = 'bench';

/** The folder of `KUBEBUILDER_ASSETS`. Throws when it does not have the programs of an API server. */
export function clusterAssets(): string {
  const assets = process.env['KUBEBUILDER_ASSETS'] ?? '';
  const missing = missingProgram(assets, (program) => existsSync(path.join(assets, program)));
  if (missing !== undefined) throw new Error(`--cluster: ${missing}`);
  return assets;
}

/** Starts an API server for the time of a bench; its kubeconfigs go to `dir`. Throws when {@link clusterAssets} does. */
export async function startOwnCluster(dir: string): Promise<OwnCluster> {
  const server = await RealApiServer.start(clusterAssets());
  await mkdir(dir, { recursive: true });
  const kubeconfig = path.join(dir, 'admin.kubeconfig');
  const nodeKubeconfig = path.join(dir, 'node.kubeconfig');
  const node = { name: `system:node:${nodeName}`, groups: ['system:nodes'] };
  await writeFile(kubeconfig, server.kubeconfig({ name: 'kubernetes-admin', groups: ['system:masters'] }));
  await writeFile(nodeKubeconfig, server.kubeconfig(node));
  return { kubeconfig, nodeKubeconfig, nodeName, stop: () => server.stop() };
}
