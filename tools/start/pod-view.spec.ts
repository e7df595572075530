import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { podUrl } from './pod-answer.js';
import { describePods, isFailed, isReady } from './pod-view.js';
import { WarningEvents } from './warning-events.js';

const pod = (status: Pod['status']): Pod => ({
  metadata: { name: 'web', namespace: 'default', uid: '1' },
  spec: {
    initContainers: [{ name: 'page' }],
    containers: [{ name: 'web', ports: [{ containerPort: 53, protocol: 'UDP' }, { containerPort: 8080 }] }],
  },
  ...(status !== undefined && { status }),
});
const event = (fieldPath: string, type: string, reason: string, message: string): string =>
  `I0102 03:04:05.000000       7 events] "Event occurred" object="default/web" fieldPath="${fieldPath}" kind="Pod" type="${type}" reason="${reason}" message=${message}\n`;
const ready = [{ type: 'Ready', status: 'True' }];

describe('the view of pods', () => {
  it('says what each container waits for, does, or ended with', () => {
    const image = { image: 'i', imageID: 'i', ready: false };
    const status: Pod['status'] = {
      phase: 'Pending',
      initContainerStatuses: [
        { ...image, name: 'page', state: { terminated: { exitCode: 3, reason: 'Error' } }, restartCount: 2 },
      ],
      containerStatuses: [
        { ...image, name: 'web', state: { waiting: { reason: 'PodInitializing' } }, restartCount: 0 },
      ],
    };
    expect(describePods([pod(status)])).toEqual([
      'pod default/web  Pending',
      '  init page  Error, exit code 3 (restarts: 2)',
      '  container web  PodInitializing',
    ]);
  });

  it('shows a pod without a status as waiting', () => {
    expect(describePods([pod(undefined)])).toEqual([
      'pod default/web  Pending',
      '  init page  waiting',
      '  container web  waiting',
    ]);
  });

  it('says why a pod was refused, and that its containers will not start', () => {
    const message = 'Pod was rejected: Node does not have enough cpu';
    const refused = pod({ phase: 'Failed', reason: 'OutOfcpu', message });
    expect(describePods([refused])).toEqual([
      `pod default/web  Failed: OutOfcpu: ${message}`,
      '  init page  not started',
      '  container web  not started',
    ]);
    expect([isFailed(refused), isFailed(pod({ phase: 'Running' })), isFailed(pod(undefined))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('says how a restarted container ended before, and which warning was the last', () => {
    const warnings = new WarningEvents();
    warnings.read(
      event('spec.containers{web}', 'Warning', 'Unhealthy', '"Liveness probe failed: \\"no\\""') +
        event('spec.containers{web}', 'Normal', 'Killing', '"Container web failed liveness probe"') +
        event('spec.initContainers{page}', 'Warning', 'Failed', '<\n\tError: no\n\tpage\n >') +
        event('', 'Warning', 'FailedMount', '"no volume"') +
        event('', 'Warning', 'MissingClusterDNS', '"as each pod here"'),
    );
    const common = { image: 'i', imageID: 'i' };
    const terminated = { exitCode: 137, reason: 'Error' };
    const status: Pod['status'] = {
      phase: 'Running',
      initContainerStatuses: [
        { ...common, name: 'page', ready: true, restartCount: 0, state: { terminated: { exitCode: 0 } } },
      ],
      containerStatuses: [
        { ...common, name: 'web', ready: true, restartCount: 1, state: { running: {} }, lastState: { terminated } },
      ],
    };
    expect(describePods([pod(status)], { warnings })).toEqual([
      'pod default/web  Running: FailedMount: no volume',
      '  init page  terminated, exit code 0',
      '  container web  running (restarts: 1, before: Error, exit code 137): Unhealthy: Liveness probe failed: "no"',
    ]);
    expect(warnings.of('default/web', 'page')).toEqual({ now: 'Failed: Error: no page' });
    expect(describePods([pod({ ...status, conditions: ready })], { warnings })[0]).toBe(
      'pod default/web  Running, ready',
    );
  });

  it('does not show a warning that is older than the last start as if it were about the container that runs', () => {
    const warnings = new WarningEvents();
    const of = 'spec.containers{web}';
    const backOff = event(of, 'Warning', 'BackOff', '"Back-off restarting failed container"');
    warnings.read(
      event('', 'Warning', 'FailedMount', '"no volume"') +
        event(of, 'Warning', 'Unhealthy', '"Liveness probe failed"') +
        backOff.repeat(2),
    );
    const common = { name: 'web', image: 'i', imageID: 'i', ready: false, restartCount: 1 };
    const lastState = { terminated: { exitCode: 137, reason: 'Error' } };
    const line = (state: object): string | undefined =>
      describePods([pod({ phase: 'Running', containerStatuses: [{ ...common, state, lastState }] })], {
        warnings,
      }).at(-1);
    expect(line({ waiting: { reason: 'CrashLoopBackOff' } })).toBe(
      '  container web  CrashLoopBackOff (restarts: 1, before: Error, exit code 137): Unhealthy: Liveness probe failed',
    );
    const started = event(of, 'Normal', 'Started', '"Container started"');
    warnings.read(started);
    // The same piece of the log once more.
    warnings.read(backOff + started);
    expect(line({ running: {} })).toBe(
      '  container web  running (restarts: 1, before: Error, exit code 137: Unhealthy: Liveness probe failed)',
    );
    expect(warnings.of('default/web')).toEqual({});
    // The status may be a moment behind the log.
    warnings.read(started + backOff);
    expect(line({ running: {} })).not.toContain('BackOff');
    expect(line({ waiting: { reason: 'CrashLoopBackOff' } })).toContain(': BackOff: Back-off restarting');
    warnings.read(event(of, 'Normal', 'Started', '"Container started again"'));
    expect(warnings.of('default/web', 'web')).toEqual({});
  });

  it.each([
    ['ErrImagePull', 'failed to do request: Head "https://r/v2": dial tcp: no such host', ': no registry here'],
    ['ImagePullBackOff', 'Back-off pulling image "i": ErrImagePull: dial tcp: timeout', ': no registry here'],
    ['ErrImagePull', 'pull access denied', ''],
    ['CreateContainerConfigError', 'secret "s" not found', ''],
  ])('says of %s once why, and where a registry was not reached the hint', (reason, message, hint) => {
    const warnings = new WarningEvents();
    warnings.read(
      `I0102 03:04:05.000000       7 events] "Event occurred" object="default/web" fieldPath="spec.containers{web}" kind="Pod" type="Warning" reason="Failed" message="Error: ${reason}"\n`,
    );
    const waiting = { name: 'web', image: 'i', imageID: '', ready: false, restartCount: 0 };
    const status = { containerStatuses: [{ ...waiting, state: { waiting: { reason, message } } }] };
    expect(describePods([pod(status)], { warnings, unreachedRegistryHint: 'no registry here' }).at(-1)).toBe(
      `  container web  ${reason}: ${message}${hint}`,
    );
  });

  it('counts a pod as ready when it is, or when it has done its work', () => {
    expect(isReady(pod({ phase: 'Running', conditions: ready }))).toBe(true);
    expect(isReady(pod({ phase: 'Succeeded' }))).toBe(true);
    expect(isReady(pod({ phase: 'Running' }))).toBe(false);
  });

  it('asks the first port on TCP, in brackets for IPv6', () => {
    expect(podUrl(pod({ podIP: '10.1.2.3' }))).toBe('http://10.1.2.3:8080/');
    expect(podUrl(pod({ podIP: 'fd00::3' }))).toBe('http://[fd00::3]:8080/');
    expect(podUrl(pod({}))).toBeUndefined();
  });
});
