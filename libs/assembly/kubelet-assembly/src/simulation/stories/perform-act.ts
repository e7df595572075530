import type { Pod } from '@podwright/kube-types';
import type { SimulatedRuntime } from '@podwright/simulated-runtime';
import type { TestApiServer } from '@podwright/test-apiserver';
import type { VirtualClock } from '@podwright/time';
import type { MachineDisk } from './machine-disk.js';
import type { StoryKubelet } from './story-kubelet.js';
import type { StoryManifests } from './story-manifests.js';
import type { StoryApi } from './story-api.js';
import type { StoryCsiDriver } from './story-csi-driver.js';
import type { StoryDevicePlugins } from './story-device-plugins.js';
import type { StoryDraDriver } from './story-dra-driver.js';
import type { StoryStep } from './story.js';

/** What a step acts on. */
export interface Stage {
  readonly clock: VirtualClock;
  readonly runtime: SimulatedRuntime;
  readonly server: TestApiServer;
  readonly api: StoryApi;
  readonly disk: MachineDisk;
  readonly csi: StoryCsiDriver;
  readonly dra: StoryDraDriver;
  readonly devices: StoryDevicePlugins;
  readonly dir: string;
  /** IDs of containers that the story itself ended. */
  readonly endedByOthers: Set<string>;
  /** What ends faults that are still there. */
  readonly undo: Set<() => void>;
  pods(): readonly Pod[];
  /** The UID by which the runtime knows a pod; undefined while there is none. */
  uid(pod: string): string | undefined;
  readonly manifests: StoryManifests;
  readonly kubelet: StoryKubelet;
  note(line: string): void;
  /** All processes end, and start anew. */
  reboot(): void;
}

type Disturbance = Parameters<SimulatedRuntime['control']['disturbEvents']>[0];

const disturbances: Readonly<Record<'lost' | 'doubled' | 'late', () => Disturbance>> = {
  lost: () => () => [],
  doubled: () => (event) => [event, event],
  late: () => {
    const held: Parameters<Disturbance>[0][] = [];
    return (event) => (held.push(event) > 2 ? held.splice(0, 1) : []);
  },
};

export async function performAct(step: StoryStep, stage: Stage): Promise<void> {
  const { clock, runtime, server, api } = stage;
  const control = runtime.control;
  const during = (forMs: number, end: () => void): void => {
    const undo = (): void => {
      stage.undo.delete(undo);
      timer.cancel();
      end();
    };
    const timer = clock.setTimer(forMs, undo);
    stage.undo.add(undo);
  };
  /** Undefined: there is no such pod yet or any more, and then nothing happens. */
  const target = (pod: string | undefined): { readonly subject?: string } | undefined => {
    if (pod === undefined) return {};
    const subject = stage.uid(pod);
    return subject === undefined ? undefined : { subject };
  };
  switch (step.act) {
    case 'create':
      answered(stage, await api.create(step.pod));
      return api.reserveClaims(stage.pods());
    case 'delete':
      return answered(stage, await api.delete(step.pod, step.gracePeriodSeconds));
    case 'set-image':
      return answered(stage, await api.setImage(step.pod, step.container, step.image));
    case 'resize': {
      const pod = stage.pods().find(({ metadata }) => metadata.name === step.pod);
      const limited =
        pod?.spec.containers.find(({ name }) => name === step.container)?.resources?.limits?.['cpu'] !== undefined;
      return answered(stage, await api.resize(step.pod, step.container, step.cpu, limited));
    }
    case 'debug':
      return answered(stage, await api.debug(step.pod, step.container, step.image));
    case 'write-manifest':
      return stage.manifests.write(step.pod);
    case 'remove-manifest':
      return stage.manifests.remove(step.pod);
    case 'exit': {
      const container = control.container(stage.uid(step.pod) ?? '', step.container);
      if (container?.running !== true) return;
      stage.endedByOthers.add(container.id);
      control.exitContainer(container.id, step.exitCode);
      return;
    }
    case 'kill-sandbox': {
      const uid = stage.uid(step.pod);
      const sandbox = control.sandboxes.find((each) => each.ready && each.podUid === uid);
      if (sandbox === undefined) return;
      for (const { id } of control.containers(uid)) stage.endedByOthers.add(id);
      control.killSandbox(sandbox.id);
      return;
    }
    case 'runtime-fails': {
      const found = target(step.pod);
      const failure = { code: 'internal', times: step.times, done: step.done } as const;
      if (found !== undefined) stage.undo.add(runtime.faults.fail({ rpc: step.rpc, ...found }, failure));
      return;
    }
    case 'runtime-hangs': {
      const found = target(step.pod);
      if (found !== undefined) during(step.forMs, runtime.faults.hang({ rpc: step.rpc, ...found }));
      return;
    }
    case 'runtime-away':
      control.goAway();
      return during(step.forMs, () => control.comeBack());
    case 'events':
      return during(step.forMs, control.disturbEvents(disturbances[step.become]()));
    case 'event-streams-end':
      return control.endEventStreams();
    case 'api-fault':
      stage.undo.add(server.faults.add(step.fault, step.match, step.times));
      return;
    case 'api-away':
      server.stop();
      return during(step.forMs, () => server.start());
    case 'watches': {
      const { streams } = server.faults;
      if (step.become === 'cut') streams.cut();
      else if (step.become === 'ended') streams.end();
      else if (step.become === 'doubled') streams.double();
      else streams.silence();
      return;
    }
    case 'compact':
      return server.compact();
    case 'disk-fails':
      return stage.disk.fail(step.code, step.torn, step.operations);
    case 'csi': {
      const { act: _act, atMs: _time, ...fault } = step;
      return stage.csi.faults.add(fault);
    }
    case 'dra': {
      const { act: _act, atMs: _time, ...fault } = step;
      return stage.dra.faults.add(fault);
    }
    case 'csi-away':
      stage.csi.leave();
      return during(step.forMs, () => stage.csi.comeBack());
    case 'dra-away':
      stage.dra.leave();
      return during(step.forMs, () => stage.dra.comeBack());
    case 'devices': {
      const { act: _act, atMs: _time, resource, ...fault } = step;
      return stage.devices.plugin(resource).faults.add(fault);
    }
    case 'device': {
      const { resource, id, become, forMs } = step;
      const plugin = stage.devices.plugin(resource);
      plugin.change(id, become);
      return during(forMs, () => plugin.change(id, undefined));
    }
    case 'plugin-away':
      stage.devices.leave(step.resource);
      return during(step.forMs, () => stage.devices.comeBack(step.resource));
    case 'clock-jumps':
      return clock.setWallClock(clock.now() + step.byMs);
    case 'kill':
      return stage.kubelet.kill(step.after, step.count, step.downMs);
    case 'stop':
      return stage.kubelet.stop(step.downMs);
    case 'reboot':
      stage.kubelet.kill(undefined, 0, step.downMs);
      return stage.reboot();
  }
}

function answered(stage: Stage, status: number): void {
  if (status >= 300 || status === 0) stage.note(`  (answered ${status})`);
}
