import type { DependencyFault, Section } from './dependency-faults.js';

type Json = Record<string, unknown>;

/** The text of a package.json with the dependency faults corrected. All other fields keep their order. */
export function fixManifest(text: string, faults: readonly DependencyFault[]): string {
  const manifest = JSON.parse(text) as Json;
  for (const fault of faults) {
    if (fault.kind === 'unused') {
      remove(manifest, fault.section, fault.dependency);
      continue;
    }
    for (const section of ['dependencies', 'peerDependencies'] as const) remove(manifest, section, fault.dependency);
    add(manifest, fault.section, fault.dependency, fault.range);
  }
  const peers = Object.keys((manifest['peerDependencies'] ?? {}) as Json);
  if (peers.includes('@jest/globals')) {
    const meta = { ...((manifest['peerDependenciesMeta'] ?? {}) as Json), '@jest/globals': { optional: true } };
    insertBefore(manifest, 'podwright', 'peerDependenciesMeta', meta);
  } else delete manifest['peerDependenciesMeta'];
  return JSON.stringify(manifest, undefined, 2) + '\n';
}

function remove(manifest: Json, section: Section, dependency: string): void {
  const entries = { ...((manifest[section] ?? {}) as Json) };
  delete entries[dependency];
  if (Object.keys(entries).length > 0) manifest[section] = entries;
  else delete manifest[section];
}

function add(manifest: Json, section: Section, dependency: string, range: string): void {
  const entries = { ...((manifest[section] ?? {}) as Json), [dependency]: range };
  const sorted = Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
  insertBefore(manifest, section === 'dependencies' ? 'peerDependencies' : 'peerDependenciesMeta', section, sorted);
}

/** Sets `key`; a new key goes before `before`, or before `podwright`, the last field of a manifest. */
function insertBefore(manifest: Json, before: string, key: string, value: unknown): void {
  if (key in manifest) {
    manifest[key] = value;
    return;
  }
  const entries = Object.entries(manifest);
  const at = entries.findIndex(([name]) => name === before || name === 'peerDependenciesMeta' || name === 'podwright');
  entries.splice(at === -1 ? entries.length : at, 0, [key, value]);
  for (const name of Object.keys(manifest)) delete manifest[name];
  Object.assign(manifest, Object.fromEntries(entries));
}
