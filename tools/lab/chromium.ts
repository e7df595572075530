import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { libraryDirs } from './binaries.js';
import { defaultCacheDir, exists, groupDir, PackageStore } from './packages.js';

export interface Chromium {
  readonly program: string;
  /** Its libraries, and fonts that are the same on every machine. It needs no other variable. */
  readonly env: Readonly<Record<string, string>>;
}

const group = 'chromium';
const names = ['chromium-headless-shell', 'fonts-inter', 'fonts-dejavu-core'];
/**
 * Dependencies that it does not load: drivers of graphics cards with their compiler, programs for desktops. The C library
 * must be the machine's.
 */
const unused = /^(libllvm|libz3|libgl1-mesa-dri|libdrm-(amdgpu|nouveau|radeon|intel)|libicu|libc6_|debconf|x11-|xdg-)/;

/**
 * Unpacks a Chromium without windows from the machine's own suite, with its libraries and two fonts, into the cache.
 * Rejects when the suite has none.
 */
export async function findChromium(log: (line: string) => void, cacheDir = defaultCacheDir()): Promise<Chromium> {
  const known = groupDir(cacheDir, group, names);
  const root = (await exists(known)) ? known : await fetchChromium(log, cacheDir);
  const dir = path.join(root, 'podwright-fonts');
  await mkdir(dir, { recursive: true });
  const fonts = path.join(dir, 'fonts.conf');
  await writeFile(fonts, fontConfiguration(path.join(root, 'usr/share/fonts'), path.join(dir, 'cache')));
  // libpulse finds its own part by the machine's path only.
  const libraries = (await libraryDirs(root)).flatMap((folder) => [folder, path.join(folder, 'pulseaudio')]);
  return {
    program: path.join(root, 'usr/lib/chromium/chromium-headless-shell'),
    env: { LD_LIBRARY_PATH: libraries.join(':'), FONTCONFIG_FILE: fonts },
  };
}

async function fetchChromium(log: (line: string) => void, cacheDir: string): Promise<string> {
  const store = await PackageStore.open(cacheDir, log);
  try {
    return await store.unpackWithDependencies(group, names, unused);
  } finally {
    await store.close();
  }
}

function fontConfiguration(fonts: string, cache: string): string {
  const aliases = { 'system-ui': 'Inter', 'sans-serif': 'Inter', monospace: 'DejaVu Sans Mono' };
  const rules = Object.entries(aliases).map(
    ([family, font]) =>
      `<alias binding="same"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`,
  );
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir>${rules.join('')}</fontconfig>
`;
}
