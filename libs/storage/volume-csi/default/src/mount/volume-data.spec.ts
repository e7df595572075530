import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadVolumeData, removeVolumeData, requireVolumeData, saveVolumeData } from './volume-data.js';

describe('vol_data.json', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'volume-data-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const file = (): string => join(folder, 'vol_data.json');

  it('is written as the encoder of Go writes a map', async () => {
    const data = {
      specVolID: 'pv-1',
      volumeHandle: 'a<b>&"\\',
      driverName: 'd.example.com',
      nodeName: 'n',
      volumeLifecycleMode: 'Persistent',
      attachmentID: 'csi-1',
      seLinuxMountContext: 'system_u:object_r:t:s0:c1,c2',
    };
    await saveVolumeData(folder, data);
    expect(await readFile(file(), 'utf8')).toBe(
      '{"attachmentID":"csi-1","driverName":"d.example.com","nodeName":"n",' +
        '"seLinuxMountContext":"system_u:object_r:t:s0:c1,c2","specVolID":"pv-1",' +
        '"volumeHandle":"a\\u003cb\\u003e\\u0026\\"\\\\","volumeLifecycleMode":"Persistent"}\n',
    );
    expect((await stat(file())).mode & 0o777).toBe(0o644);
    expect(await loadVolumeData(folder)).toEqual(data);
    expect(await readdir(folder)).toEqual(['vol_data.json']);
  });

  it('is not written again with the same content', async () => {
    const data = { volumeHandle: 'h', driverName: 'd' };
    await saveVolumeData(folder, data);
    const before = (await stat(file())).ino;
    await saveVolumeData(folder, data);
    expect((await stat(file())).ino).toBe(before);
    await saveVolumeData(folder, { ...data, nodeName: 'n' });
    expect(await loadVolumeData(folder)).toEqual({ ...data, nodeName: 'n' });
  });

  it('can be missing', async () => {
    expect(await loadVolumeData(folder)).toBeUndefined();
    await expect(requireVolumeData(folder)).rejects.toThrow(
      `kubernetes.io/csi: failed to open volume data file [${file()}]: open ${file()}: no such file or directory`,
    );
  });

  it.each([
    ['an empty file', ''],
    ['half a file', '{"driverName":"d","volumeHa'],
    ['no object', '["d"]'],
    ['a number', '{"driverName":"d","volumeHandle":1}'],
    ['no driver', '{"volumeHandle":"h"}'],
    ['no handle', '{"driverName":"d","volumeHandle":""}'],
  ])('refuses %s', async (_what, text) => {
    await writeFile(file(), text);
    await expect(loadVolumeData(folder)).rejects.toMatchObject({
      code: 'data-loss',
      message: expect.stringContaining(`kubernetes.io/csi: failed to parse volume data file [${file()}]: `),
    });
  });

  it('is removed together with what a killed write has left', async () => {
    await writeFile(join(folder, '.vol_data.json.new'), '{"dri');
    await saveVolumeData(folder, { volumeHandle: 'h', driverName: 'd' });
    await writeFile(join(folder, '.vol_data.json.new'), '{"dri');
    await removeVolumeData(folder);
    expect(await readdir(folder)).toEqual([]);
    await removeVolumeData(folder);
  });
});
