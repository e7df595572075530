import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { copyrightFile } from './copyright-file.js';
import { packageTerms } from './package-terms.js';
import { readSourceDateEpoch } from './source-date-epoch.js';

describe('the terms of what is inside', () => {
  let root = '';
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'podwright-terms-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  async function install(folder: string, license: string, files: Readonly<Record<string, string>>): Promise<void> {
    const name = folder.replace(/^.*node_modules\//, '');
    await mkdir(path.join(root, folder), { recursive: true });
    const all = { ...files, 'package.json': JSON.stringify({ name, version: '1.0.0', license }) };
    for (const [file, text] of Object.entries(all)) await writeFile(path.join(root, folder, file), text);
  }

  it('are those of each package in the bundle, also of nested ones, with equal texts once', async () => {
    await install('node_modules/b', 'MIT', { LICENSE: 'Do as you like.\n' });
    await install('node_modules/@scope/c', 'MIT', { 'LICENSE.md': 'Do as you like.\n' });
    await install('node_modules/b/node_modules/a', 'Apache-2.0', { 'license.txt': 'Apache text\n' });
    const locations = ['node_modules/b', 'node_modules/b/node_modules/a', 'node_modules/@scope/c'];
    const packages = await packageTerms([...locations, 'libs/foundation/time'], root);
    expect(packages.map(({ name }) => name)).toEqual(['@scope/c', 'a', 'b']);
    const text = copyrightFile(packages, { version: '24.0.0', licenseText: 'Terms of Node.js' });
    expect(text.match(/Do as you like/g)).toHaveLength(1);
    expect(text).toContain('@scope/c 1.0.0, b 1.0.0 (MIT):');
    expect(text).toMatch(/common-licenses\/Apache-2\.0[^]*\n {2}a 1\.0\.0\n/);
    expect(text).toMatch(/Node\.js 24\.0\.0:\n\nTerms of Node\.js\n$/);
  });

  it('must be there', async () => {
    await install('node_modules/b', 'MIT', {});
    await expect(packageTerms(['node_modules/b'], root)).rejects.toThrow(
      /^b 1\.0\.0 is bundled, but .* has no licence/,
    );
  });
});

describe('the time of the files', () => {
  it('is SOURCE_DATE_EPOCH, which is a number of seconds', async () => {
    await expect(readSourceDateEpoch({ SOURCE_DATE_EPOCH: '1700000000' })).resolves.toBe(1_700_000_000);
    await expect(readSourceDateEpoch({ SOURCE_DATE_EPOCH: 'today' })).rejects.toThrow(
      'SOURCE_DATE_EPOCH must be a number of seconds since 1970: it is "today"',
    );
  });
});

describe("kubeadm's drop-in", () => {
  const page = path.join(__dirname, '../../../docs/joining-a-kubeadm-cluster.md');
  const dropIn = path.join(__dirname, 'files/05-podwright.conf');

  /** Without comments, and from the section of the service on. */
  const settings = (text: string): string =>
    text
      .slice(text.indexOf('[Service]'))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .join('\n');

  it("has the settings of kubeadm's own package", async () => {
    const [, block = ''] = /\n# \S+10-kubeadm\.conf\n([^]*?)```/.exec(await readFile(page, 'utf8')) ?? [];
    expect(block).toContain('KUBELET_KUBEADM_ARGS');
    expect(settings(await readFile(dropIn, 'utf8'))).toBe(settings(block));
  });
});
