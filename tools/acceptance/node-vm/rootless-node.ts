import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exists, runOutput } from './guest-commands.js';

const HOME = '/etc/rootless';
const MANIFESTS = `${HOME}/manifests`;
const UNIT = 'rootless.service';
const READ_ONLY_PORT = 10_255;
const PORT = 10_250;
const firstUser = 100_000;
const users = 65_536;

export const ROOTLESS_NAME = 'rootless';
export const ROOTLESS_LOG = '/var/log/rootless.log';

// Root of the machine prepares: a user namespace with its own ids, to which the unit's cgroup belongs.
const PREPARE = `set -e
cgroup=/sys/fs/cgroup/system.slice/${UNIT}
unshare --user sleep infinity &
holder=$!
while [ "$(readlink /proc/$holder/ns/user)" = "$(readlink /proc/self/ns/user)" ]; do sleep 0.1; done
echo "0 ${firstUser} ${users}" > /proc/$holder/uid_map
echo "0 ${firstUser} ${users}" > /proc/$holder/gid_map
mkdir $cgroup/init
echo $holder > $cgroup/init/cgroup.procs
for file in "" /cgroup.procs /cgroup.subtree_control /cgroup.threads; do
  chown ${firstUser}:${firstUser} $cgroup$file $cgroup/init$file
done
exec nsenter --target $holder --user --setuid 0 --setgid 0 unshare --mount --cgroup --net sh ${HOME}/run.sh
`;

// Root of the user namespace: all that is written is in memory and ends with the namespace. The first kubelet has no gate.
const RUN = `set -e
for folder in /run /tmp /var/log /var/lib/kubelet /var/lib/containerd /var/lib/cni; do
  mkdir -p $folder
  mount -t tmpfs tmpfs $folder
done
mount -t cgroup2 cgroup2 /sys/fs/cgroup
echo $$ > /sys/fs/cgroup/init/cgroup.procs
echo "+cpu +cpuset +memory +pids" > /sys/fs/cgroup/cgroup.subtree_control
ip link set lo up
ip link add cni0 type bridge
ip address add 10.88.0.1/24 dev cni0
ip link set cni0 up
containerd --config ${HOME}/containerd.toml &
until ctr version > /run/version 2>&1; do sleep 0.3; done
ctr --namespace k8s.io images import /podwright/images.tar
kubelet() { /podwright/node /podwright/kubelet --config $1 --hostname-override ${ROOTLESS_NAME} --node-ip 10.88.0.1; }
kubelet ${HOME}/without-gate.json || echo "==== refused with $?"
kubelet ${HOME}/kubelet.json
`;

const CONTAINERD = `version = 3
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.nri.v1.nri", "io.containerd.snapshotter.v1.devmapper"]
[plugins.'io.containerd.cri.v1.images'.pinned_images]
  sandbox = "podwright.local/pause:1"
[plugins.'io.containerd.cri.v1.runtime']
  disable_apparmor = true
  restrict_oom_score_adj = true
  disable_hugetlb_controller = true
  netns_mounts_under_state_dir = true
[plugins.'io.containerd.cri.v1.runtime'.cni]
  bin_dirs = ["/usr/lib/cni"]
  conf_dir = "/etc/cni/net.d"
  use_internal_loopback = true
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
  SystemdCgroup = false
`;

const configuration = (isGateOn: boolean): string =>
  JSON.stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    staticPodPath: MANIFESTS,
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    readOnlyPort: READ_ONLY_PORT,
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    cgroupDriver: 'cgroupfs',
    failSwapOn: false,
    featureGates: { KubeletInUserNamespace: isGateOn },
  });

/** A kubelet and a containerd whose root is nobody outside of their user namespace. */
export class RootlessNode {
  private constructor(private readonly pid: string) {}

  static async start(): Promise<RootlessNode> {
    await mkdir(MANIFESTS, { recursive: true });
    const files = {
      'prepare.sh': PREPARE,
      'run.sh': RUN,
      'containerd.toml': CONTAINERD,
      'without-gate.json': configuration(false),
      'kubelet.json': configuration(true),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(HOME, name), text);
    const output = ['StandardOutput', 'StandardError'].map((name) => `--property=${name}=append:${ROOTLESS_LOG}`);
    const settings = ['--property=Delegate=yes', ...output, `--setenv=PATH=${process.env['PATH'] ?? ''}`];
    await runOutput('systemd-run', `--unit=${UNIT}`, ...settings, 'sh', `${HOME}/prepare.sh`);
    const pid = await runOutput('systemctl', 'show', '--value', '--property=MainPID', UNIT);
    return new RootlessNode(pid.trim());
  }

  async add(name: string, manifest: unknown): Promise<void> {
    await writeFile(path.join(HOME, `${name}.json`), JSON.stringify(manifest));
    await runOutput('mv', path.join(HOME, `${name}.json`), MANIFESTS);
  }

  async remove(name: string): Promise<void> {
    await runOutput('rm', path.join(MANIFESTS, `${name}.json`));
  }

  /** Body of an endpoint of the read-only port, which only the namespace reaches. */
  ask(where: string): Promise<string> {
    return this.fetch('GET', `http://127.0.0.1:${READ_ONLY_PORT}${where}`);
  }

  /** Body of an endpoint of the kubelet's port. */
  request(method: 'GET' | 'POST', where: string): Promise<string> {
    return this.fetch(method, `https://127.0.0.1:${PORT}${where}`);
  }

  private fetch(method: string, url: string): Promise<string> {
    const text = `fetch(${JSON.stringify(url)}, { method: '${method}' }).then(async (answer) => {
      process.stdout.write(await answer.text());
      if (!answer.ok) process.exitCode = 1;
    });`;
    const enter = ['--target', this.pid, '--net', 'env', 'NODE_TLS_REJECT_UNAUTHORIZED=0', 'NODE_NO_WARNINGS=1'];
    return runOutput('nsenter', ...enter, '/podwright/node', '-e', text);
  }

  /** Whether a path exists as the namespace sees it. */
  has(file: string): Promise<boolean> {
    return exists(`/proc/${this.pid}/root${file}`);
  }

  async stop(): Promise<void> {
    await runOutput('systemctl', 'stop', UNIT);
  }
}
