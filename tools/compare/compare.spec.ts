import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '../workspace/repository-root.js';
import { aspectOfEvent, aspectsOfNode, aspectsOfPod } from './observed.js';
import { parseOptions } from './options.js';
import { parseScenario } from './scenario.js';
import { renderDifferences, renderTimeline, Timeline } from './timeline.js';

const folder = path.join(repositoryRoot, 'tools/compare/scenarios');

describe('a scenario', () => {
  it.each(readdirSync(folder))('%s is well formed', (file) => {
    const { objects, seconds } = parseScenario(file, readFileSync(path.join(folder, file), 'utf8'));
    expect(objects.length).toBeGreaterThan(0);
    expect(seconds).toBeGreaterThan(0);
  });

  it('has its steps in order of time', () => {
    const { steps } = parseScenario('f', 'seconds: 2\nsteps: [{ at: 2, run: b }, { at: 1, restart: SIGTERM }]');
    expect(steps.map(({ at }) => at)).toEqual([1, 2]);
  });

  it.each([
    ['[]', 'f: the document: []'],
    ['seconds: -1', 'f: seconds: -1 should be a number above 0'],
    ['{ seconds: 1, pods: [] }', 'f: pods: [] should be one of the fields seconds, '],
    ['{ seconds: 1, objects: [{ kind: Pod }] }', 'f: objects: [{"kind":"Pod"}] should be a list of objects'],
    ['{ seconds: 1, steps: [{ run: x }] }', 'f: steps[0]: {"run":"x"} should be a map of at (seconds) and run'],
    ['{ seconds: 1, steps: [{ at: 1, restart: now }] }', 'f: steps[0]: {"at":1,"restart":"now"} should be a map of'],
    ['{ seconds: 1, steps: [{ at: 2, run: x }] }', 'f: steps[0]: {"at":2,"run":"x"} should be before seconds: 1'],
    ['{ seconds: 1, steps: [{ at: 1, run: x, kill: y }] }', 'f: steps[0]: '],
    ['{ seconds: 1, steps: [{ at: 1, restart: SIGTERM, show: y }] }', 'f: steps[0]: '],
    ['{ seconds: .inf }', 'f: seconds: null should be a number above 0'],
    ['{ seconds: [', 'f: '],
    ['{ seconds: 1, rootDiskMiB: much }', 'f: rootDiskMiB: "much" should be a number'],
  ])('%s is refused', (text, message) => {
    expect(() => parseScenario('f', text)).toThrow(message);
  });
});

describe('options', () => {
  const scenario = path.join(folder, 'admission.yaml');

  it.each([
    [[scenario], '--against: name the kubelet to compare with'],
    [['--against', process.execPath], 'name at least one scenario'],
    [['--against', process.execPath, '/no.yaml'], 'there is no scenario /no.yaml'],
    [['--against', process.execPath, scenario], 'KUBEBUILDER_ASSETS '],
  ])('%j are refused', (args, message) => {
    expect(() => parseOptions(args, {})).toThrow(message);
  });
});

describe('a difference', () => {
  const timeline = (...seen: readonly (readonly [at: number, phase: string])[]): Timeline => {
    const result = new Timeline();
    for (const [at, phase] of seen) result.observe('pod a', new Map([['phase', phase]]), at);
    return result;
  };

  it('is another value, not another time, a value seen twice or how often they come', () => {
    const ours = timeline([1, 'Pending'], [2, 'Running'], [3, 'Running']);
    expect(renderDifferences(ours, timeline([1, 'Pending'], [9, 'Running']))).toBe('');
    const looping = timeline([1, 'Pending'], [2, 'Running'], [3, 'Pending'], [4, 'Running']);
    expect(renderDifferences(ours, looping)).toBe('');
    expect(renderDifferences(ours, timeline([1, 'Failed'], [2, 'Running']))).toBe(
      ['pod a', '  phase', '    kubelet    1.0 Pending', '    against    1.0 Failed', ''].join('\n'),
    );
  });

  it('can be looked up in the whole timeline', () => {
    expect(renderTimeline(timeline([1, 'Pending'], [2, 'Running']))).toBe(
      ['pod a', '  phase', '       1.0 Pending', '       2.0 Running', ''].join('\n'),
    );
  });

  it('is another order, and another end', () => {
    const ours = timeline([1, 'Pending'], [2, 'Running']);
    expect(renderDifferences(ours, timeline([1, 'Running'], [2, 'Pending']))).toContain(
      '    against first    1.0 Running\n    against first    2.0 Pending\n',
    );
    expect(renderDifferences(ours, timeline([1, 'Pending'], [2, 'Running'], [3, 'Pending']))).toContain(
      '    kubelet last    2.0 Running\n    against last    3.0 Pending\n',
    );
  });

  it('is an object or an aspect that only one has, and one that is gone again', () => {
    expect(renderDifferences(timeline([1, 'Pending']), new Timeline())).toContain('    kubelet    1.0 Pending\n');
    const gone = timeline([1, 'Pending']);
    gone.observe('pod a', new Map(), 2);
    expect(renderDifferences(gone, timeline([1, 'Pending']))).toContain('    kubelet    2.0 (not there)\n');
  });
});

describe('what is seen', () => {
  it('has reasons and messages, without ids, addresses and times', () => {
    const id = 'containerd://'.padEnd(77, 'a');
    const aspects = aspectsOfPod({
      metadata: { name: 'a' },
      spec: { containers: [] },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady', message: 'at 10.0.0.1' }],
        containerStatuses: [
          {
            ...{
              name: 'main',
              image: 'i',
              imageID: '',
              containerID: id,
              restartCount: 1,
              ready: false,
              started: false,
            },
            state: { waiting: { reason: 'CrashLoopBackOff', message: `back-off 10s ${id}` } },
            lastState: { terminated: { exitCode: 137, reason: 'Error' } },
          },
        ],
      },
    });
    expect(aspects.get('phase')).toBe('Running');
    expect(aspects.get('condition Ready')).toBe('False ContainersNotReady at ADDRESS');
    expect(aspects.get('container main')).toBe(
      'waiting CrashLoopBackOff back-off 10s containerd://ID not ready not started (last: terminated 137 Error)',
    );
    expect(aspects.get('container main restarts')).toBe('1');
  });

  it('has the conditions and taints of the node', () => {
    const aspects = aspectsOfNode({
      metadata: { name: 'n' },
      spec: { taints: [{ key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule' }] },
      status: { conditions: [{ type: 'DiskPressure', status: 'True', reason: 'KubeletHasDiskPressure' }] },
    });
    expect(aspects.get('condition DiskPressure')).toBe('True KubeletHasDiskPressure');
    expect(aspects.get('taints')).toBe('node.kubernetes.io/disk-pressure:NoSchedule');
  });

  it('has the reason and the message of an event, without the time that a pull took', () => {
    const message = 'Successfully pulled image "a" in 12ms (1.5s including waiting). Image size: 1 bytes.';
    const event = { metadata: {}, involvedObject: {}, type: 'Normal', reason: 'Pulled', message };
    expect(aspectOfEvent(event as Parameters<typeof aspectOfEvent>[0])).toBe(
      'event Normal Pulled: Successfully pulled image "a" in TIME. Image size: 1 bytes.',
    );
  });
});
