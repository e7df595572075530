import { describe, expect, it } from '@jest/globals';
import { isSeries } from './binaries.js';
import { renderContainerdConfig } from './containerd-config.js';
import { labLayout } from './layout.js';

const options = {
  layout: labLayout('x'),
  pauseImage: 'p:1',
  cniDir: '/cni',
  restrictOomScoreAdj: true,
  apparmor: false,
};

describe('renderContainerdConfig', () => {
  it('writes the second version of the format for 1.6', () => {
    const config = renderContainerdConfig({ ...options, series: '1.6' });
    expect(config).toContain('version = 2\n');
    expect(config).toContain('sandbox_image = "p:1"');
    expect(config).toContain('bin_dir = "/cni"');
    expect(config).toContain('restrict_oom_score_adj = true');
    expect(config).toContain('disable_apparmor = true');
  });

  it('writes the third version for 2.x', () => {
    const config = renderContainerdConfig({ ...options, series: '2', restrictOomScoreAdj: false });
    expect(config).toContain('version = 3\n');
    expect(config).toContain('sandbox = "p:1"');
    expect(config).toContain(`bin_dirs = ["/cni", "${options.layout.toolsDir}"]`);
    expect(config).toContain('restrict_oom_score_adj = false');
  });

  it.each(['1.6', '2'] as const)('has a handler for each further runtime, beside runc, for %s', (series) => {
    const config = renderContainerdConfig({ ...options, series, runtimes: { hangs: 'hanging-runc' } });
    expect(config.match(/containerd\.runtimes\.\w+\]/g)).toEqual([
      'containerd.runtimes.runc]',
      'containerd.runtimes.hangs]',
    ]);
    expect(config.match(/BinaryName = .*/g)).toEqual(['BinaryName = "hanging-runc"']);
  });

  it.each(['1.6', '2'] as const)('names no folder outside the lab for %s', (series) => {
    const { runDir, dataDir } = options.layout;
    const paths = renderContainerdConfig({ ...options, series }).match(/"\/[^"]*"/g) ?? [];
    const outside = paths.filter((text) => !text.startsWith(`"${runDir}/`) && !text.startsWith(`"${dataDir}/`));
    expect(outside).toEqual(['"/cni"']);
  });
});

describe('isSeries', () => {
  it('tells a series from others that begin alike', () => {
    expect(isSeries('1.6.20~ds1', '1.6')).toBe(true);
    expect(isSeries('1.7.24~ds1', '1.6')).toBe(false);
    expect(isSeries('v2.1.9', '2')).toBe(true);
    expect(isSeries('20.1', '2')).toBe(false);
  });
});
