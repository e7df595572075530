import { describe, expect, it } from '@jest/globals';
import { crioEnvironment, renderCrioConfig } from './crio-config.js';
import { labLayout } from './layout.js';

const layout = labLayout('x');
const config = renderCrioConfig({
  ...{
    layout,
    cniDir: '/cni',
    registry: '127.0.0.1:5000',
    env: { PATH: '/tools' },
    runc: '/lab-runc',
    apparmor: false,
  },
  programs: { crio: '/crio', conmon: '/conmon', pinns: '/pinns' },
});

describe('renderCrioConfig', () => {
  it('names the lab\u2019s socket and programs', () => {
    expect(config).toContain(`listen = "${layout.crioSocket}"`);
    expect(config).toContain('runtime_path = "/lab-runc"');
    expect(config).toContain('monitor_path = "/conmon"');
    expect(config).toContain('monitor_env = ["PATH=/tools"]');
  });

  it('names no folder outside the lab', () => {
    const paths = [
      ...(config.match(/"\/[^"]*"/g) ?? []),
      ...Object.values(crioEnvironment(layout)).map((text) => `"${text}`),
    ];
    const inside = [layout.runDir, layout.dataDir, layout.crioAttachDir];
    const outside = paths.filter((text) => !inside.some((dir) => text === `"${dir}"` || text.startsWith(`"${dir}/`)));
    expect(outside.sort()).toEqual(['"/cni"', '"/conmon"', '"/lab-runc"', '"/pinns"']);
  });
});
