import type { Pod } from '@podwright/kube-types';
import { resourceClaimsOf } from './dra-objects.js';
import type { Story, StoryStep } from './story.js';

/** A story as lines that people can read. */
export function tellStory(story: Story): readonly string[] {
  const { configuration, latencyMs, readLatencyMs, apiLatencyMs, diskLatencyMs, shuffled, steps, epilogue } = story;
  return [
    `configuration ${JSON.stringify(configuration)}`,
    `changes at the runtime take up to ${latencyMs} ms, reads up to ${readLatencyMs} ms`,
    `requests and answers are under way for up to ${apiLatencyMs} ms, operations on files wait up to ${diskLatencyMs} ms`,
    `timers of one instant run in ${shuffled ? 'an order that is drawn' : 'the order in which they were set'}`,
    ...steps.map((step) => `${(step.atMs / 1_000).toFixed(3).padStart(9)}  ${tellStep(step)}`),
    `at rest: ${epilogue}`,
  ];
}

/** A status in one line. */
export function tellStatus({ metadata, status, spec }: Pod): string {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].map((each) => {
    const { waiting, running, terminated } = each.state ?? {};
    const state = terminated ? `ended ${terminated.exitCode}` : running ? 'running' : (waiting?.reason ?? 'waiting');
    return `${each.name} ${state}${each.restartCount > 0 ? ` (${each.restartCount})` : ''}`;
  });
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True' ? ' ready' : '';
  const ending = metadata.deletionTimestamp === undefined ? '' : ` ending in ${metadata.deletionGracePeriodSeconds} s`;
  const ended = status?.reason === undefined ? '' : ` (${status.reason})`;
  return `${metadata.name} ${status?.phase}${ended}${ready}${ending}: ${containers.join(', ') || spec.containers.length}`;
}

export function tellStep(step: StoryStep): string {
  const { atMs: _time, act, ...what } = step;
  switch (step.act) {
    case 'create':
      return `create pod ${tellPod(step.pod)}`;
    case 'write-manifest':
      return `write the manifest of static pod ${tellPod(step.pod)}`;
    default:
      return `${act} ${Object.entries(what)
        .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
        .join(' ')}`;
  }
}

function tellPod(pod: Pod): string {
  const { metadata, spec } = pod;
  const { containers, initContainers, restartPolicy, terminationGracePeriodSeconds, volumes, hostNetwork } = spec;
  const tellContainer = ({
    name,
    image,
    resources,
    imagePullPolicy: _policy,
    volumeMounts: _mounts,
    ...rest
  }: Pod['spec']['containers'][number]): string => {
    const { cpu: _cpu, memory: _memory, ...devices } = resources?.limits ?? {};
    const told = { ...rest, ...(Object.keys(devices).length > 0 && { devices }) };
    return `${name}=${image?.replace('registry.test/', '')}${Object.keys(told).length > 0 ? JSON.stringify(told) : ''}`;
  };
  return [
    metadata.name,
    `[${[...(initContainers ?? []).map((each) => `init ${tellContainer(each)}`), ...containers.map(tellContainer)].join(', ')}]`,
    `${restartPolicy}, grace ${terminationGracePeriodSeconds} s`,
    ...(volumes ?? []).map(({ name }) => `volume ${name}`),
    ...resourceClaimsOf(pod).map((claim) => `claim ${claim}`),
    ...(hostNetwork === true ? ['hostNetwork'] : []),
  ].join(' ');
}
