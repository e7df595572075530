// npm run compare: plays scenarios with two kubelets and prints where they differ; see usage.txt.
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { labSupport } from '@podwright/lab';
import { buildKubelet } from '../build/kubelet.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import { parseOptions, type CompareOptions } from './options.js';
import { parseScenario } from './scenario.js';
import { runScenario } from './scenario-run.js';
import { renderDifferences, renderTimeline, type Timeline } from './timeline.js';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function compare({ kubelet, against, assets, scenarios, out, name }: CompareOptions): Promise<void> {
  const file = kubelet ?? (await buildKubelet()).file;
  for (const scenarioFile of scenarios) {
    const scenario = parseScenario(scenarioFile, await readFile(scenarioFile, 'utf8'));
    const title = path.basename(scenarioFile, '.yaml');
    const play = async (program: string, ours: boolean): Promise<Timeline> => {
      const place = out && path.join(out, `${title}.${ours ? 'kubelet' : 'against'}`);
      say(`${title} with ${program} ...`);
      const log = place === undefined ? {} : { log: `${place}.log` };
      const timeline = await runScenario(scenario, { file: program, ours, assets, name, say, ...log });
      if (place !== undefined) {
        await mkdir(path.dirname(place), { recursive: true });
        await writeFile(`${place}.txt`, renderTimeline(timeline));
      }
      return timeline;
    };
    const theirs = await play(against, false);
    const differences = renderDifferences(await play(file, true), theirs);
    process.stdout.write(`# ${title}\n${differences === '' ? 'no difference\n' : differences}\n`);
  }
}

const args = process.argv.slice(2);
if (args.includes('--help')) {
  process.stdout.write(readFileSync(path.join(repositoryRoot, 'tools/compare/usage.txt'), 'utf8'));
} else {
  const options = parseOptions(args);
  const support = labSupport();
  if (!support.ok) throw new Error(`there can be no throw-away node here: ${support.reason}`);
  await compare(options);
}
