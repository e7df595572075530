import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { iptablesLayer, ociArchive, pauseProgram, tryCommand, type ImageSpec } from '@podwright/lab';
import { IMAGE_REPOSITORY } from './cluster-shape.js';

/** Archives of the images that kubeadm names, from the programs in a folder. */
export interface KubeadmImages {
  readonly controlPlane: Buffer;
  /** What every node runs. */
  readonly node: Buffer;
}

const ON_EVERY_NODE = ['kube-proxy', 'coredns', 'pause'];

export async function buildKubeadmImages(
  assets: string,
  hasDns: boolean,
  log: (line: string) => void,
): Promise<KubeadmImages> {
  const names = (await imageNames(assets)).filter(({ name }) => hasDns || name !== 'coredns');
  const archive = async (isWanted: (name: string) => boolean): Promise<Buffer> => {
    const specs: ImageSpec[] = [];
    for (const { name, reference } of names.filter((one) => isWanted(one.name)))
      specs.push(await imageOf(name, reference, assets, log));
    return ociArchive(specs);
  };
  return {
    controlPlane: await archive((name) => !ON_EVERY_NODE.includes(name)),
    node: await archive((name) => ON_EVERY_NODE.includes(name)),
  };
}

async function imageNames(assets: string): Promise<readonly { readonly name: string; readonly reference: string }[]> {
  const version = await output(path.join(assets, 'kubeadm'), 'version', '-o', 'short');
  const list = [
    'config',
    'images',
    'list',
    `--kubernetes-version=${version}`,
    `--image-repository=${IMAGE_REPOSITORY}`,
  ];
  const references = (await output(path.join(assets, 'kubeadm'), ...list)).split('\n');
  return references.map((reference) => {
    const name = /([\w-]+):[^:/]+$/.exec(reference)?.[1];
    if (name === undefined) throw new Error(`kubeadm names an image "${reference}", which has no name and tag`);
    return { name, reference };
  });
}

async function output(program: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await tryCommand(program, args);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} exited with ${code}: ${stderr.trim()}`);
  return stdout.trim();
}

async function imageOf(
  name: string,
  reference: string,
  assets: string,
  log: (line: string) => void,
): Promise<ImageSpec> {
  const pause = name === 'pause' ? pauseProgram(process.arch) : undefined;
  const content = pause ?? (await readFile(path.join(assets, name)));
  // kubeadm calls the programs of static pods by their names, and kube-proxy by its path.
  const place =
    { etcd: 'usr/local/bin', 'kube-proxy': 'usr/local/bin', pause: '', coredns: '' }[name] ?? 'usr/local/bin';
  const file = path.posix.join(place, name);
  return {
    reference,
    layer: [
      ...(name === 'kube-proxy' ? await iptablesLayer(log) : []),
      { path: file, type: 'file', mode: 0o755, content },
    ],
    entrypoint: [`/${file}`],
  };
}
