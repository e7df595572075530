// npm run compare: plays scenarios with two kubelets and prints where they differ; see usage.txt.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { labSupport } from '@podwright/lab';
import { buildKubelet } from '../build/kubelet.js';
import { parseOptions, type CompareOptions } from './options.js';
import { parseScenario } from './scenario.js';
import { runScenario } from './scenario-run.js';
import { renderDifferences, renderTimeline, Timeline } from './timeline.js';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Resolves to true when the two differ in a scenario. */
async function compare({ kubelet, against, assets, scenarios, out, name }: CompareOptions): Promise<boolean> {
  const parsed = await Promise.all(
    scenarios.map(async (file) => ({
      title: path.basename(file, '.yaml'),
      scenario: parseScenario(file, await readFile(file, 'utf8')),
    })),
  );
  const programs = { kubelet: kubelet ?? (await buildKubelet()).file, against };
  let differ = false;
  for (const { title, scenario } of parsed) {
    const play = async (side: keyof typeof programs): Promise<Timeline> => {
      const [timeline, file] = [new Timeline(), programs[side]];
      const place = out && path.join(out, `${title}.${side}`);
      say(`${title} with ${file} ...`);
      const log = place === undefined ? {} : { log: `${place}.log` };
      try {
        await runScenario(scenario, timeline, { file, ours: side === 'kubelet', assets, name, say, ...log });
      } finally {
        if (place !== undefined) {
          await mkdir(path.dirname(place), { recursive: true });
          await writeFile(`${place}.txt`, renderTimeline(timeline));
        }
      }
      return timeline;
    };
    const theirs = await play('against');
    const differences = renderDifferences(await play('kubelet'), theirs);
    process.stdout.write(`# ${title}\n${differences === '' ? 'no difference\n' : differences}\n`);
    differ ||= differences !== '';
  }
  return differ;
}

const options = parseOptions(process.argv.slice(2));
const support = labSupport();
if (!support.ok) throw new Error(`there can be no throw-away node here: ${support.reason}`);
process.exitCode = (await compare(options)) ? 1 : 0;
