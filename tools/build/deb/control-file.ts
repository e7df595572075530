import type { NodeArchitecture } from '../../node/node-pins.js';

/** Debian's names of the machines for which there is an executable. */
export const debianArchitectures: Readonly<Record<NodeArchitecture, string>> = { x64: 'amd64', arm64: 'arm64' };

export const PACKAGE_NAME = 'podwright-kubelet';

interface ControlFields {
  readonly version: string;
  readonly architecture: NodeArchitecture;
  readonly installedKib: number;
}

const relations = {
  // What the Node.js inside is linked with, and mount(8) for volumes; the other programs of a start are essential packages.
  Depends: ['libc6 (>= 2.28)', 'libgcc-s1', 'libstdc++6 (>= 5)', 'mount'],
  // A node needs a runtime and CNI plugins; they may also come from elsewhere. Then the chains of the packet filter.
  Recommends: [
    'containerd | containerd.io | cri-o',
    'iptables (>= 1.8.4)',
    'kubernetes-cni | containernetworking-plugins',
  ],
  // Programs for kinds of volumes, and ranges of ids for user namespaces.
  Suggests: ['e2fsprogs', 'multipath-tools', 'nfs-common', 'open-iscsi', 'uidmap', 'xfsprogs'],
  // Takes the place of upstream's package of that name.
  Conflicts: ['kubelet'],
  Replaces: ['kubelet'],
};

/** From the variables that Debian's own tools read. */
function maintainer(): string {
  const { DEBFULLNAME: name = 'Podwright', DEBEMAIL: address = 'podwright@localhost' } = process.env;
  return `${name} <${address}>`;
}

/** The file `control` of the package. */
export function controlFile({ version, architecture, installedKib }: ControlFields): string {
  const kubernetesVersion = version.replace(/\+.*/, '');
  const fields = {
    Package: PACKAGE_NAME,
    Version: version,
    Architecture: debianArchitectures[architecture],
    Maintainer: maintainer(),
    'Installed-Size': String(installedKib),
    ...Object.fromEntries(Object.entries(relations).map(([field, list]) => [field, list.join(', ')])),
    Provides: `kubelet (= ${kubernetesVersion})`,
    Section: 'net',
    Priority: 'optional',
    Description: [
      'Kubernetes node agent, written in TypeScript',
      "The kubelet of Podwright runs the pods of a node, as upstream's kubelet",
      `v${kubernetesVersion} does: with the same flags, files and unit. Node.js is inside.`,
    ].join('\n '),
  };
  return `${Object.entries(fields)
    .map(([field, value]) => `${field}: ${value}`)
    .join('\n')}\n`;
}

/** The file `changelog`, which names the version; what changed is in the change logs of the npm packages. */
export function changelogFile(version: string, sourceDateEpoch: number): string {
  const date = new Date(sourceDateEpoch * 1000).toUTCString().replace('GMT', '+0000');
  const change = '  * The kubelet of @podwright/kubelet; its CHANGELOG.md says what changed.';
  return `${PACKAGE_NAME} (${version}) unstable; urgency=medium\n\n${change}\n\n -- ${maintainer()}  ${date}\n`;
}
