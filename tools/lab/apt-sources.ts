import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

/** One apt repository as the machine's own sources name it. */
export interface AptSource {
  readonly uris: readonly string[];
  readonly suites: readonly string[];
  readonly components: readonly string[];
  /** A keyring's path, or an inline key as deb822 allows it. */
  readonly signedBy?: string;
}

/** Parses the one-line format (`sources.list`, `*.list`). Leaves out source-code lines and comments. */
export function parseOneLineSources(text: string): AptSource[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s*([^#]*)/.exec(line);
    if (match === null) return [];
    const [, options = '', uri = '', suite = '', components = ''] = match;
    const signedBy = /(?:^|\s)signed-by=(\S+)/i.exec(options)?.[1];
    return [
      { uris: [uri], suites: [suite], components: words(components), ...(signedBy === undefined ? {} : { signedBy }) },
    ];
  });
}

/** Parses deb822 stanzas (`*.sources`); disabled stanzas and those without binary packages are left out. */
export function parseDeb822Sources(text: string): AptSource[] {
  return text.split(/\n\s*\n/).flatMap((stanza) => {
    const fields = stanzaFields(stanza);
    if (!words(fields.get('types') ?? '').includes('deb')) return [];
    if (/^(no|false|0|off|disable)$/i.test((fields.get('enabled') ?? 'yes').trim())) return [];
    // A path is on the field's own line. An inline key follows indented, and its indentation is part of it.
    const signedBy = fields.get('signed-by')?.replace(/^ +|\s+$/g, '');
    return [
      {
        uris: words(fields.get('uris') ?? ''),
        suites: words(fields.get('suites') ?? ''),
        components: words(fields.get('components') ?? ''),
        ...(signedBy === undefined || signedBy === '' ? {} : { signedBy }),
      },
    ];
  });
}

/** The archive that serves `codename` itself (not its updates or security archive), or undefined. */
export function distributionArchive(sources: readonly AptSource[], codename: string): AptSource | undefined {
  return sources.find((source) => source.suites.includes(codename) && source.components.includes('main'));
}

/** A deb822 stanza for the same archive and key with another suite. */
export function renderSource(source: AptSource, suite: string): string {
  const signedBy = source.signedBy === undefined ? '' : `Signed-By: ${source.signedBy}\n`;
  return `Types: deb\nURIs: ${source.uris.join(' ')}\nSuites: ${suite}\nComponents: main\n${signedBy}`;
}

/** Reads the sources that apt itself would read below `aptDir`; as apt does, ignores files with other endings. */
export async function readMachineSources(aptDir = '/etc/apt'): Promise<AptSource[]> {
  const parts = path.join(aptDir, 'sources.list.d');
  const names = await readdir(parts).catch(() => [] as string[]);
  const files = [path.join(aptDir, 'sources.list'), ...names.sort().map((name) => path.join(parts, name))];
  const parsed = files.map(async (file) => {
    if (file.endsWith('.sources')) return parseDeb822Sources(await readFile(file, 'utf8'));
    // Only sources.list itself may be missing.
    if (file.endsWith('.list')) return parseOneLineSources(await readFile(file, 'utf8').catch(() => ''));
    return [];
  });
  return (await Promise.all(parsed)).flat();
}

function stanzaFields(stanza: string): Map<string, string> {
  const fields = new Map<string, string>();
  let current = '';
  for (const line of stanza.split('\n')) {
    if (line.startsWith('#')) continue;
    const field = /^([A-Za-z][A-Za-z0-9-]*):(.*)$/.exec(line);
    if (field !== null) {
      current = (field[1] ?? '').toLowerCase();
      fields.set(current, field[2] ?? '');
    } else if (current !== '' && /^\s/.test(line)) {
      fields.set(current, `${fields.get(current) ?? ''}\n${line}`);
    }
  }
  return fields;
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
