import { gateAnswers, gateReaders, type GateReaders } from '@podwright/kubelet-assembly';
import { featureGateTable } from '@podwright/kubelet-configuration';
import { alignedTable } from './aligned-table.js';

const intro = `# Feature gates

For operators: every feature gate of the kubelet, its API client and its server in Kubernetes v1.36, and what it does here. \`--feature-gates\` and the
field \`featureGates\` set them, with upstream's defaults, stages, dependencies and errors. Nobody can change a locked gate. One default differs:
\`EventedPLEG\` is on ([why](decisions/0017-container-events.md)).

| answer            | meaning                                                                             |
| ----------------- | ----------------------------------------------------------------------------------- |
| switch            | on and off behave differently here; a locked gate always has its default            |
| always on, off    | the kubelet behaves so whatever the gate says; the last column names the file       |
| not the kubelet's | other components read it; the kubelet accepts it, because installers give it to all |
| nothing behind it | v1.36 reads it nowhere, or has nothing that it could switch                         |

Where a switch names an option, that option of the package is true only when all its gates are on
([which](../libs/assembly/kubelet-assembly/src/gate-options.ts)). A \`#\` in the name of a package begins the name of one of its
[modules](modules.md). The other gates that upstream's kubelet accepts belong to other components and do nothing here. Their defaults,
locks and dependencies are upstream's; the list is in
\`libs/foundation/kubelet-configuration/src/feature-gates/foreign-feature-gates.ts\`.
`;

const end = `
This page is generated from \`gate-options.ts\` and \`gate-answers.ts\` in \`libs/assembly/kubelet-assembly/src\` by
\`node tools/bootstrap/run.mjs tools/reference/main.ts\`.
`;

/** The text of docs/feature-gates.md. */
export function gatesPage(): string {
  const rows = [...featureGateTable]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([gate, { stage, default: value, locked }]) => [
      `\`${gate}\``,
      stage,
      `${value ? 'on' : 'off'}${locked ? ', locked' : ''}`,
      ...answerOf(gate),
    ]);
  const kinds = [...new Set(rows.map((row) => row[3] ?? ''))].sort();
  const count = kinds.map((kind) => `${rows.filter((row) => row[3] === kind).length} ${kind}`).join(', ');
  const table = alignedTable([['gate', 'stage', 'default', 'answer', 'what'], ...rows]);
  return `${intro}\nOf ${rows.length} gates: ${count}.\n\n${table}\n${end}`;
}

function answerOf(gate: string): readonly [string, string] {
  const readers = gateReaders(gate);
  if (readers !== undefined) return ['switch', decidedBy(readers)];
  const answer = gateAnswers[gate];
  if (answer === undefined) return ['', ''];
  return [answer.kind, 'where' in answer ? `${answer.what} (\`${answer.where}\`)` : answer.what];
}

function decidedBy({ options, effect, declared, configuration }: GateReaders): string {
  const parts = [
    ...[...new Set(options.map(({ option }) => option))].map((option) => {
      const modules = options.filter((other) => other.option === option).map(({ module }) => `\`${module}\``);
      return `\`${option}\` of ${modules.map((name) => name.replace('@podwright/', '')).join(', ')}`;
    }),
    ...(effect !== undefined ? [effect] : []),
    ...(declared ? ["the Node's declared features"] : []),
    ...(configuration ? ['fields or values of this gate are refused while it is off'] : []),
  ];
  return parts.join('; ');
}
