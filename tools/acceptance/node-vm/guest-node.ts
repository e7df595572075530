import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Pod } from '@podwright/kube-types';
import { ask } from '../../start/pod-answer.js';
import type { PodManifest } from '../pod-manifests.js';
import { RuntimeView } from '../runtime-view.js';
import { waitFor, type WaitOptions } from '../wait-for.js';
import { podUid } from './guest-cgroups.js';
import { exists, run, runOutput } from './guest-commands.js';

const MANIFESTS = '/etc/kubernetes/manifests';
const STAGING = '/etc/kubernetes/staging';
const CONFIG = '/etc/kubernetes/kubelet.json';
const ARGUMENTS = '/etc/kubernetes/kubelet.env';
const UNIT = '/etc/systemd/system/kubelet.service';
const READ_ONLY_PORT = 10_255;
/** Long enough for an emulated processor. */
const PATIENCE_MS = 200_000;

export const NODE_NAME = 'node-vm';
export const KUBELET_ROOT = '/var/lib/kubelet';
export const KUBELET_LOG = '/var/log/kubelet.log';

const UNIT_TEXT = `[Unit]
Description=kubelet
After=containerd.service podwright-programs.service podwright-network.service
Wants=containerd.service
Requires=podwright-programs.service
RequiresMountsFor=${KUBELET_ROOT}
[Service]
ExecStart=/podwright/node /podwright/\${KUBELET_PROGRAM} --config ${CONFIG} --hostname-override ${NODE_NAME} --node-ip 10.88.0.1 $KUBELET_ARGUMENTS
Environment=KUBELET_PROGRAM=kubelet
EnvironmentFile=-${ARGUMENTS}
Restart=always
RestartSec=1
KillMode=process
StandardOutput=append:${KUBELET_LOG}
StandardError=append:${KUBELET_LOG}
[Install]
WantedBy=multi-user.target
`;

/** A pod's folder, with its volumes. */
export function podFolder(pod: Pod): string {
  return path.join(KUBELET_ROOT, 'pods', podUid(pod));
}

/** The guest's kubelet, a systemd service as on a real node, with static pods. */
export class GuestNode {
  private constructor(readonly runtime: RuntimeView) {}

  static async open(): Promise<GuestNode> {
    await waitFor('containerd serves', () => run('ctr', 'version'), { withinMs: PATIENCE_MS, everyMs: 300 });
    return new GuestNode(await RuntimeView.connect('unix:///run/containerd/containerd.sock'));
  }

  /** Writes configuration and unit and imports the images; call it once per machine. */
  async install(configuration: Readonly<Record<string, unknown>>): Promise<void> {
    for (const folder of [MANIFESTS, STAGING]) await mkdir(folder, { recursive: true });
    await this.configure(configuration);
    await writeFile(UNIT, UNIT_TEXT);
    await run('ctr', '--namespace', 'k8s.io', 'images', 'import', '/podwright/images.tar');
    await run('systemctl', 'daemon-reload');
    await run('systemctl', 'enable', '--now', 'kubelet.service');
    await this.untilUp();
  }

  /** Writes the configuration; it takes effect at the next start of the kubelet. */
  async configure(configuration: Readonly<Record<string, unknown>>, file = CONFIG): Promise<void> {
    const fields = {
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      staticPodPath: MANIFESTS,
      containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
      address: '127.0.0.1',
      readOnlyPort: READ_ONLY_PORT,
      authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
      authorization: { mode: 'AlwaysAllow' },
      ...configuration,
    };
    await writeFile(file, JSON.stringify(fields, undefined, 2));
  }

  /** Sets the program and further command line arguments for the next start of the kubelet. */
  async setArguments(text: string, program: 'kubelet' | 'kubelet-standalone' = 'kubelet'): Promise<void> {
    await writeFile(ARGUMENTS, `KUBELET_ARGUMENTS=${text}\nKUBELET_PROGRAM=${program}\n`);
  }

  async untilUp(): Promise<void> {
    await waitFor('the kubelet is up', async () => (await this.ask('/healthz')) === 'ok', {
      withinMs: PATIENCE_MS,
      everyMs: 200,
    });
  }

  /** Stops the kubelet and removes its unit with what drop-ins it has; pods run on. */
  async uninstall(): Promise<void> {
    await run('systemctl', 'disable', '--now', 'kubelet.service');
    for (const file of [UNIT, `${UNIT}.d`]) await rm(file, { recursive: true, force: true });
    await run('systemctl', 'daemon-reload');
  }

  /** Kills the kubelet with SIGKILL; systemd does not start it again before {@link start}. */
  async crash(): Promise<void> {
    await run('systemctl', 'kill', '--signal=KILL', 'kubelet.service');
    await run('systemctl', 'stop', 'kubelet.service');
  }

  async start(): Promise<void> {
    await run('systemctl', 'start', 'kubelet.service');
    await this.untilUp();
  }

  /** Body of an endpoint of the read-only port. */
  ask(where: string): Promise<string> {
    return ask(`http://127.0.0.1:${READ_ONLY_PORT}${where}`, 10_000);
  }

  async add(manifest: PodManifest): Promise<void> {
    const file = `${manifest.metadata.name}.json`;
    await writeFile(path.join(STAGING, file), JSON.stringify(manifest));
    await rename(path.join(STAGING, file), path.join(MANIFESTS, file));
  }

  async remove(name: string): Promise<void> {
    await rm(path.join(MANIFESTS, `${name}.json`), { force: true });
  }

  async pods(): Promise<readonly Pod[]> {
    return (JSON.parse(await this.ask('/pods')) as { items?: readonly Pod[] | null }).items ?? [];
  }

  podName(name: string): string {
    return `${name}-${NODE_NAME}`;
  }

  /** Resolves with the pod once the test holds for it; on failure, the error has its status. */
  async waitForPod(name: string, what: string, test: (pod: Pod) => boolean, options: WaitOptions = {}): Promise<Pod> {
    let seen: Pod | undefined;
    const look = async (): Promise<Pod | false> => {
      seen = (await this.pods()).find(({ metadata }) => metadata.name === this.podName(name));
      return seen !== undefined && test(seen) && seen;
    };
    return waitFor(`pod ${name} ${what}`, look, { withinMs: PATIENCE_MS, everyMs: 200, ...options }).catch(
      (error: Error) => {
        throw new Error(`${error.message}\n${JSON.stringify(seen?.status ?? 'no pod', undefined, 1)}`);
      },
    );
  }

  /** Resolves with the pod once its containers run. */
  running(name: string): Promise<Pod> {
    return this.waitForPod(name, 'runs', ({ status }) => {
      const states = status?.containerStatuses ?? [];
      return states.length > 0 && states.every(({ state }) => state?.running !== undefined);
    });
  }

  /** Runs a program in the pod's container; resolves with its output. */
  async exec(name: string, ...command: string[]): Promise<string> {
    const [container] = await this.runtime.running(this.podName(name));
    if (container === undefined) throw new Error(`pod ${name} has no running container`);
    return this.runtime.exec(container.id, ...command);
  }

  /** Removes a static pod. Resolves when it has no folder any more, so no volume either. */
  async end(name: string, options: WaitOptions = {}): Promise<void> {
    const folder = podFolder(await this.running(name));
    await this.remove(name);
    await this.waitFor(`${folder} of pod ${name} is gone`, async () => !(await exists(folder)), options);
  }

  waitFor<T>(what: string, look: () => Promise<T>, options: WaitOptions = {}): Promise<Exclude<T, undefined | false>> {
    return waitFor(what, look, { withinMs: PATIENCE_MS, everyMs: 200, ...options });
  }

  /** The kubelet's log lines so far, of all its runs. */
  async log(): Promise<readonly string[]> {
    return (await readFile(KUBELET_LOG, 'utf8')).split('\n');
  }

  /** Writes a line to the log that says what happens next. */
  async mark(text: string): Promise<void> {
    await appendFile(KUBELET_LOG, `==== ${text}\n`).catch(() => undefined); // there is no log before the first start
  }

  /** The ends of the logs, to explain a failure. */
  async explain(): Promise<string> {
    const kubelet = (await this.log().catch(() => [])).slice(-40);
    const journal = (unit: string): Promise<string> =>
      runOutput('journalctl', '--no-pager', '-o', 'cat', '-n', '12', '-u', unit).catch(() => '');
    const slices = await runOutput('systemd-cgls', '--no-pager', '-l', '/kubepods.slice').catch(() => '');
    const parts = {
      // What systemd says about it, and the log of a kubelet whose unit is not ours.
      'journal of the kubelet': await journal('kubelet'),
      containerd: await journal('containerd'),
      'kubepods.slice': slices,
    };
    return [...kubelet, ...Object.entries(parts).flatMap(([name, text]) => [`---- ${name}`, text.trim()])].join('\n');
  }
}
