import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildDebianPackage, type DebianPackageOptions } from './debian-package.js';
import { stageFiles } from './staged-files.js';

const programs = ['dpkg', 'dpkg-deb', 'deb-systemd-helper'];
const lacking = programs.filter((name) => spawnSync('which', [name]).status !== 0);
const cannot = lacking.length > 0 ? `no ${lacking.join(', ')}` : process.getuid?.() === 0 ? undefined : 'not root';

const DEFAULTS = 'etc/default/kubelet';
const UNIT = 'usr/lib/systemd/system/kubelet.service';
const KUBEADM_DROP_IN = `${UNIT}.d/10-kubeadm.conf`;

/** Installs into a folder: the packages' scripts run here, but know that the system is there. */
(cannot === undefined ? describe : describe.skip)(
  cannot === undefined ? 'the Debian package' : `the Debian package (${cannot})`,
  () => {
    let dir = '';
    let options: DebianPackageOptions;
    beforeAll(async () => {
      dir = await mkdtemp(path.join(tmpdir(), 'podwright-deb-'));
      const executable = path.join(dir, 'kubelet');
      await writeFile(executable, '#!/bin/sh\n', { mode: 0o600 });
      const folder = path.join(dir, 'first');
      options = {
        architecture: 'x64',
        version: '1.36.0+podwright1',
        executable,
        copyright: 'Terms\n',
        sourceDateEpoch: 1_000_000_000,
        folder,
      };
    });
    afterAll(() => rm(dir, { recursive: true, force: true }));

    const output = (program: string, ...args: string[]): string =>
      execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

    /** A system without packages, with a dpkg that works in it. */
    async function emptySystem(name: string): Promise<{ root: string; dpkg: (...args: string[]) => string }> {
      const root = path.join(dir, name);
      for (const folder of ['updates', 'info'])
        await mkdir(path.join(root, 'var/lib/dpkg', folder), { recursive: true });
      for (const file of ['status', 'available']) await writeFile(path.join(root, 'var/lib/dpkg', file), '');
      const force = ['--force-script-chrootless', '--force-depends', '--force-architecture', '--log=/dev/null'];
      return { root, dpkg: (...args) => output('dpkg', `--root=${root}`, ...force, ...args) };
    }

    /** A package of upstream's that consists of these files. */
    async function upstreamPackage(name: string, files: Readonly<Record<string, string>>): Promise<string> {
      const folder = path.join(dir, `${name}-files`);
      const control = [`Package: ${name}`, 'Version: 1.36.0-1.1', 'Architecture: all', 'Maintainer: Kubernetes <k@k>'];
      const conffiles = Object.keys(files).filter((file) => file.startsWith('etc/'));
      const all = {
        ...files,
        'DEBIAN/control': `${control.join('\n')}\nDescription: as upstream's\n`,
        'DEBIAN/conffiles': conffiles.map((file) => `/${file}\n`).join(''),
      };
      await stageFiles(
        folder,
        Object.fromEntries(Object.entries(all).map(([file, text]) => [file, { content: { text } }])),
      );
      const deb = `${folder}.deb`;
      output('dpkg-deb', '--root-owner-group', '-Znone', '--build', folder, deb);
      return deb;
    }

    it('has the same bytes each time, and says what it has inside', async () => {
      const first = await buildDebianPackage(options);
      await chmod(options.executable, 0o777);
      const second = await buildDebianPackage({ ...options, folder: path.join(dir, 'second') });
      expect(path.basename(second)).toBe('podwright-kubelet_1.36.0+podwright1_amd64.deb');
      expect((await readFile(second)).equals(await readFile(first))).toBe(true);
      const lines = output('dpkg-deb', '--contents', first).trim().split('\n');
      const entries = lines.map((line) => line.split(/\s+/)).map((words) => [words[0], words[1], words[5]].join(' '));
      expect(entries).toContain('-rwxr-xr-x root/root ./usr/bin/kubelet');
      expect(entries).toContain(`-rw-r--r-- root/root ./${DEFAULTS}`);
      expect(entries.filter((entry) => !/^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x) root\/root /.test(entry))).toEqual([]);
      expect(output('dpkg-deb', '--field', first, 'Version', 'Architecture', 'Provides')).toBe(
        'Version: 1.36.0+podwright1\nArchitecture: amd64\nProvides: kubelet (= 1.36.0)\n',
      );
    });

    it("takes the place of upstream's kubelet and stands beside upstream's kubeadm", async () => {
      const { root, dpkg } = await emptySystem('upstream-before');
      const settings = 'KUBELET_EXTRA_ARGS=\n';
      dpkg('--install', await upstreamPackage('kubelet', { 'usr/bin/kubelet': '', [UNIT]: '', [DEFAULTS]: settings }));
      dpkg('--install', await upstreamPackage('kubeadm', { [KUBEADM_DROP_IN]: '' }));
      dpkg('--install', await buildDebianPackage(options));
      const states = output(
        'dpkg-query',
        `--admindir=${root}/var/lib/dpkg`,
        '-W',
        '-f',
        '${Package} ${db:Status-Status}\n',
      );
      expect(states.trim().split('\n').sort()).toEqual([
        'kubeadm installed',
        'kubelet config-files',
        'podwright-kubelet installed',
      ]);
      expect(existsSync(path.join(root, KUBEADM_DROP_IN))).toBe(true);
    });

    it('keeps what the operator wrote through an upgrade, and a purge leaves only what is not its own', async () => {
      const { root, dpkg } = await emptySystem('upgraded');
      dpkg('--install', await buildDebianPackage(options));
      const link = path.join(root, 'etc/systemd/system/multi-user.target.wants/kubelet.service');
      expect(output('readlink', link).trim()).toBe(`/${UNIT}`);
      await writeFile(path.join(root, DEFAULTS), 'KUBELET_EXTRA_ARGS=--v=3\n');
      await writeFile(path.join(root, 'etc/kubernetes/manifests/web.yaml'), 'a pod\n');
      await rm(link); // as `systemctl disable` does
      dpkg('--install', await buildDebianPackage({ ...options, version: '1.36.0+podwright2' }));
      expect(await readFile(path.join(root, DEFAULTS), 'utf8')).toBe('KUBELET_EXTRA_ARGS=--v=3\n');
      expect(existsSync(link)).toBe(false);
      dpkg('--remove', 'podwright-kubelet');
      expect(existsSync(path.join(root, DEFAULTS))).toBe(true);
      dpkg('--purge', 'podwright-kubelet');
      const files = output('find', root, '-type', 'f', '-not', '-path', `${root}/var/lib/dpkg/*`).trim().split('\n');
      expect(files).toEqual([path.join(root, 'etc/kubernetes/manifests/web.yaml')]);
    });
  },
);
