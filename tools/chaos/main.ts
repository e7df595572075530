// npm run chaos: troubles a node and prints what became of it; see usage.txt.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { labSupport } from '@podwright/lab';
import { buildKubelet } from '../build/kubelet.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import { chaosCases } from './chaos-cases.js';
import { ChaosNode } from './chaos-node.js';
import { parseOptions, type ChaosOptions } from './options.js';
import { renderCase, renderTable } from './result-table.js';
import { runCases } from './run-cases.js';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function run({ kubelet, upstream, name, cases, size, logs, assets }: ChaosOptions): Promise<boolean> {
  const file = kubelet ?? (await buildKubelet()).file;
  const chosen = chaosCases.filter((each) => cases.includes(each.name));
  const results = await runCases(
    chosen,
    (of) => {
      say(`${of.name} ...`);
      return ChaosNode.open(of, {
        file,
        ours: !upstream,
        name,
        say,
        caseName: of.name,
        ...(logs !== undefined && { logs }),
        ...(assets !== undefined && { assets }),
      });
    },
    size,
    (result) => process.stdout.write(`${renderCase(result)}\n`),
  );
  process.stdout.write(`${renderTable(results)}\n`);
  return results.every(({ outcome }) => outcome === 'kept');
}

const args = process.argv.slice(2);
if (args.includes('--help')) {
  process.stdout.write(readFileSync(path.join(repositoryRoot, 'tools/chaos/usage.txt'), 'utf8'));
} else {
  const options = parseOptions(
    args,
    chaosCases.map(({ name }) => name),
  );
  if (options.list) {
    for (const { name, does } of chaosCases) process.stdout.write(`${name}\n  ${does}\n`);
  } else {
    const support = labSupport();
    if (!support.ok) throw new Error(`there can be no throw-away node here: ${support.reason}`);
    process.exitCode = (await run(options)) ? 0 : 1;
  }
}
