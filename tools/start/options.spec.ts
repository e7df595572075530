import { describe, expect, it } from '@jest/globals';
import path from 'node:path';
import { optionsTakenByNpm, parseOptions, readCommandLine, usage } from './options.js';

describe('options of npm start', () => {
  it('have defaults that show the example', () => {
    const { manifests, ...rest } = parseOptions([]);
    expect(path.relative(process.cwd(), manifests)).toBe('examples/hello/manifests');
    expect(rest).toEqual({
      exitWhenReady: false,
      timeoutSeconds: 180,
      keep: false,
      runtimeEndpoint: undefined,
      containerd: undefined,
      simulated: false,
      cluster: false,
      kubeconfig: undefined,
      nodeName: undefined,
      assembly: undefined,
      featureGates: {},
      kubeletFlags: [],
      help: false,
    });
  });

  it('take what changes the kubelet, and its own flags after a second --', () => {
    const gates = 'EventedPLEG=true, MemoryQoS=False';
    expect(parseOptions(['--assembly', '/a.yaml', '--feature-gates', gates, '--', '--v=4', '--keep'])).toMatchObject({
      assembly: '/a.yaml',
      featureGates: { EventedPLEG: true, MemoryQoS: false },
      kubeletFlags: ['--v=4', '--keep'],
      keep: false,
    });
  });

  it('take manifests from the folder of the caller', () => {
    const before = process.env['INIT_CWD'];
    process.env['INIT_CWD'] = '/home/somebody';
    try {
      expect(parseOptions(['--manifests', 'pods']).manifests).toBe('/home/somebody/pods');
      expect(parseOptions(['--manifests', '/pods']).manifests).toBe('/pods');
    } finally {
      if (before === undefined) delete process.env['INIT_CWD'];
      else process.env['INIT_CWD'] = before;
    }
  });

  it('are shown when asked for, with exit code 0, and beside what is wrong, with 2', () => {
    expect(readCommandLine(['--help'])).toEqual({ text: usage, exitCode: 0 });
    expect(readCommandLine(['--timeout', 'soon'])).toEqual({ text: expect.stringContaining(usage), exitCode: 2 });
    expect(readCommandLine(['--keep'])).toEqual({ options: expect.objectContaining({ keep: true }) });
  });

  it.each([
    [['--timeout', 'soon'], '--timeout must be a number of seconds above 0, not "soon"'],
    [['--timeout', '0'], '--timeout must be a number'],
    [['--containerd', '3'], '--containerd must be 1.6 or 2, not "3"'],
    [['--simulated', '--runtime-endpoint', 'unix:///x'], '--simulated and --runtime-endpoint cannot be used together'],
    [['--cluster', '--kubeconfig', 'f'], '--cluster and --kubeconfig cannot be used together'],
    [['--cluster', '--keep'], 'the API server ends with this process'],
    [['--simulated', '--keep'], 'the simulated pods end with this process'],
    [['--simulated', '--kubeconfig', 'f'], '--simulated and --kubeconfig cannot be used together'],
    [['--manifests', 'd', '--kubeconfig', 'f'], 'apply the manifests with kubectl'],
    [['--node-name', 'n'], '--node-name needs --cluster or --kubeconfig'],
    [['--wait'], '--wait'],
    [['pods'], "'pods'"],
    [['--feature-gates', 'EventedPLEG'], '--feature-gates must be NAME=true|false,..., not "EventedPLEG"'],
    [['--feature-gates', 'Evented=true'], '--feature-gates: unrecognized feature gate: Evented'],
    [['--simulated', '--', '--v=4'], '--simulated does not accept kubelet flags'],
  ])('%j is refused with a sentence', (args, says) => {
    expect(() => parseOptions(args)).toThrow(says);
  });

  it('that npm has taken, because no -- was before them, are noticed', () => {
    expect(
      optionsTakenByNpm({ npm_config_cluster: 'true', npm_config_node_name: 'true', npm_config_cache: 'c' }),
    ).toEqual(['--cluster', '--node-name']);
    expect(optionsTakenByNpm({})).toEqual([]);
  });
});
