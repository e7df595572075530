import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { maskedPage } from '@podwright/explain';
import {
  nodeExplanationSchema,
  podExplanationSchema,
  type NodeExplanation,
  type NodeSituation,
  type PodExplanation,
  type PodSituation,
} from '@podwright/explain-interface';
import { askApi, askApiText } from './kubelet-api.js';
import { defaultRuntime } from './test-lab.js';
import type { TestNode } from './test-node.js';
import type { WaitOptions } from './wait-for.js';

const ajv = new Ajv2020();
const isPod = ajv.compile<PodExplanation>(podExplanationSchema);
const isNode = ajv.compile<NodeExplanation>(nodeExplanationSchema);
/** Errors are in the words of the runtime, so with another one only the situation is compared. */
const comparesPages = defaultRuntime === 'containerd' && process.env['PODWRIGHT_ACCEPTANCE_CONTAINERD'] !== '1.6';
const screen = { lines: 24, columns: 100 };

export interface ExplainedOptions extends WaitOptions {
  /** Name of the golden page, when it is not that of the situation. */
  readonly page?: string;
  /** The answer to a question that many people have: it has to fit on one screen. */
  readonly oneScreen?: boolean;
}

/**
 * Waits until the kubelet explains a pod of namespace `default` as the golden page of the situation has it, in
 * `fixtures/explained`. UPDATE_GOLDEN=1 writes the page anew; read what changed.
 */
export async function expectPodExplained(
  node: TestNode,
  name: string,
  situation: PodSituation,
  options: ExplainedOptions = {},
): Promise<void> {
  await expectExplained(node, `/explain/pods/default/${name}`, situation, (json) => check(isPod, json), options);
}

/** As {@link expectPodExplained}, for the node. */
export async function expectNodeExplained(
  node: TestNode,
  situation: NodeSituation,
  { page = `node-${situation}`, ...options }: ExplainedOptions = {},
): Promise<void> {
  await expectExplained(node, '/explain/node', situation, (json) => check(isNode, json), { page, ...options });
}

async function expectExplained(
  node: TestNode,
  question: string,
  situation: string,
  read: (json: unknown) => PodExplanation | NodeExplanation,
  { page = situation, oneScreen = false, ...wait }: ExplainedOptions,
): Promise<void> {
  const file = path.join(__dirname, 'fixtures/explained', `${page}.txt`);
  const update = process.env['UPDATE_GOLDEN'] === '1';
  const expected = update ? '' : await readFile(file, 'utf8');
  let text = '';
  let seen: string | undefined;
  const look = async (): Promise<boolean> => {
    const explanation = read(await askApi(node.kubelet, question));
    seen = explanation.situation;
    text = await askApiText(node.kubelet, `${question}?output=text`);
    return seen === situation && (update || !comparesPages || masked(text, node, expected) === expected);
  };
  // A page that stays another one is shown below, beside the expected one.
  let problem = '';
  await node
    .waitFor(`explain says ${situation}`, look, { everyMs: 100, ...wait })
    .catch((error: Error) => (problem = error.message));
  if (text === '') throw new Error(problem);
  if (update) await writeFile(file, masked(text, node, keepsAll));
  const isCompared = comparesPages && !update;
  expect([seen, masked(text, node, expected)]).toEqual([situation, isCompared ? expected : expect.anything()]);
  if (!oneScreen) return;
  const lines = text.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(screen.lines);
  expect(lines.filter(({ length }) => length > screen.columns)).toEqual([]);
}

function check<E>(isRight: { (json: unknown): json is E; errors?: unknown }, json: unknown): E {
  if (!isRight(json)) throw new Error(ajv.errorsText(isRight.errors as never));
  return json;
}

const keepsAll = 'Note  The start took #s\nNext try  in #s\n';
const slow = /^Note {2}The start took .*\n/m;

/** Missing while the kubelet tries, too. */
const nextTry = /^Next try .*\n/m;

/** The memory of a pod that was evicted is free again a moment later, while the condition of the node stays. */
const met = /^\w+\.(available|inodesFree) {2}.* met .*\n/m;

/** The page without what differs by machine and run. A start may be slow on any busy machine. */
function masked(page: string, { bed }: TestNode, expected: string): string {
  const text = maskedPage(page)
    .replaceAll(bed.lab.dir, '/LAB')
    .replaceAll(bed.lab.layout.dataDir, '/LAB')
    .replace(/\b\d+\.\d+\.\d+\.\d+(:\d+)?\b/g, 'IP')
    .replace(/(?<![\w.])-?\d+(\.\d+)?[KMGT]i\b/g, '#i')
    .replace(/(?<![\w.])\d+(\.\d+)? ?%/g, '#%')
    .replace(/(?<![\w.])\d{5,}\b/g, '#')
    .replace(/\b(requested|used|capacity): \d+/g, '$1: #')
    // Whether something had to be waited for at all differs, too.
    .replace(/^(\S.*? {2}done)(?: {2}#s ago)?(?: {2}#s)?(?=$| {2})/gm, '$1')
    // Which of the other signals are the nearest to their thresholds, and what was measured of a victim.
    .replace(/^\w+\.(available|inodesFree) {2}(?!.* met ).*\n/gm, '')
    .replace(/ Container \S+ was using \S+, request is \S+, has larger consumption of \S+/g, '')
    // The kernel's own numbers are missing when its messages cannot be read.
    .replace(/the kernel killed \S+ at the limit of the \w+( of #i)?(, #i used)?|its memory limit is #i/g, 'LIMIT')
    .replace(/\b(Get|Patch|Post|Put) "https:/g, 'Call "https:')
    .replace(/^(#s ago {2}threshold {2})\d+,/gm, '$1#,')
    // A pass that comes while an image is being unpacked frees too little, and a second one makes up for it.
    .replace(/^(#s ago {2}threshold {2}#, .*\n)\1+/gm, '$1')
    .replace(/\bfill-\d+/g, 'fill-#')
    .replace(/\bkube-api-access-\w+/g, 'kube-api-access-#')
    .replace(/^(\S+(?: \(\w+\))? {2}.*?ago {2})\d+(?=$| {2})/gm, '$1#')
    // A status shows the back-off with the next sync.
    .replace(/^(\S+ {2})(?:waiting|terminated) \w+( {2}#s ago {2}# {2}back-off)/gm, '$1backs off$2')
    .replace(/ \(# times( since #s ago)?\)/g, '')
    .replace(/^Evicts .*\n|^Note {2}(Dead containers |.* near its threshold).*\n/gm, '');
  return [slow, nextTry, met]
    .reduce((shown, line) => (line.test(expected) ? shown : shown.replace(line, '')), text)
    .replace(/\n{3,}/g, '\n\n');
}
