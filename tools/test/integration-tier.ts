import { readdirSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../workspace/repository-root.js';
import { runJestTier } from './jest-tier.js';
import type { TierResult } from './results.js';

/** Specs on a real containerd. Where they cannot run, each file counts as one skipped test and the reason is said once. */
export async function runIntegrationTier(paths: readonly string[]): Promise<Omit<TierResult, 'seconds'>> {
  const reason = whyNot();
  if (reason !== undefined) {
    const skipped = integrationSpecs(paths).length;
    return { tier: 'integration', passed: 0, failed: 0, skipped, reports: [`skipped integration: ${reason}`] };
  }
  return runJestTier('integration', { paths, serial: true, timeoutMs: 1_800_000 });
}

function whyNot(): string | undefined {
  if (process.platform !== 'linux') return `containers need Linux, this is ${process.platform}`;
  if (process.getuid?.() !== 0) return 'the private containerd needs root';
  return undefined;
}

function integrationSpecs(paths: readonly string[]): string[] {
  return ['apps', 'libs', 'tools', 'examples']
    .flatMap((folder) => specsBelow(folder))
    .filter((file) => (paths.length === 0 ? true : paths.some((prefix) => file.startsWith(prefix))));
}

function specsBelow(folder: string): string[] {
  const absolute = path.join(repositoryRoot, folder);
  let entries;
  try {
    entries = readdirSync(absolute, { withFileTypes: true });
  } catch {
    return []; // the folder is not there
  }
  return entries.flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'dist', 'fixtures'].includes(entry.name) ? [] : specsBelow(file);
    return file.endsWith('.integration.spec.ts') ? [file] : [];
  });
}
