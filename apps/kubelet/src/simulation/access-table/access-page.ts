import { callers, users, type Caller } from './callers.js';
import { endpoints, type Endpoint } from './endpoints.js';
import { mayAsk, methods, verbOf } from './expectation.js';

const intro = `# Who may call what

What the kubelet's main port (10250) answers to whom, with \`authorization.mode: Webhook\`, a client CA file and TokenReview. The tables are made
from the data below \`apps/kubelet/src/simulation/access-table\`; a simulation there makes each request of every caller to
every path, over HTTPS, to the kubelet as it ships, once with anonymous requests and once without. This page is written by
\`WRITE_DOCS=1 npx jest access-page\`; the same spec says when it is another one.

With \`authorization.mode: AlwaysAllow\` everybody who has a name in the first table, the anonymous user too, may do everything.

## Who that is

Wrong credentials never become the anonymous user. A certificate is preferred to a token; a wrong certificate does not stop a token that is good.
Nobody can be somebody else by a header.`;

const questions = `## What is asked

The API server is asked whether the user may do the verb with the subresource of the node; any of several is enough. GET is \`get\`, POST
\`create\`, PUT \`update\`, PATCH \`patch\`, DELETE \`delete\`. One thing is stricter than upstream: what runs something or reaches into a pod is \`create\`
whatever the method, so that who may only read \`nodes/proxy\` cannot run commands through a WebSocket, which is opened by GET
(\`verbByMethod\` of \`@podwright/server\` does as upstream). Paths that are not served are a 404 for everybody, as upstream has it.`;

const answers = `## Who gets an answer

Users by what they are allowed; a dot is a 403. \`everything\` is a member of \`system:masters\`, about whom the API server is asked as about everybody.`;

/** docs/who-may-call-what.md. */
export function accessPage(): string {
  const served = endpoints.filter(({ nowhere }) => nowhere !== true);
  const names = (Object.keys(users) as (keyof typeof users)[]).filter((name) => name !== 'stranger');
  return [
    intro,
    table(['the request shows', 'without anonymous requests', 'with them'], callers.map(identity)),
    questions,
    table(['path', 'GET', 'POST'], served.map(asked)),
    answers,
    table(
      ['', ...names.map((name) => rightsOf(name))],
      served.flatMap((endpoint) =>
        methods.map((method) => [
          `${method} \`${plainPath(endpoint)}\``,
          ...names.map((name) => (mayAsk(users[name], method, endpoint) ? 'yes' : '.')),
        ]),
      ),
    ),
  ]
    .join('\n\n')
    .concat('\n');
}

function identity({ what, is }: Caller): readonly string[] {
  if (is === 'unauthorized') return [what, '401', '401'];
  if (is === 'no credentials') return [what, '401', '`system:anonymous`'];
  return [what, `\`${is}\``, `\`${is}\``];
}

function asked(endpoint: Endpoint): readonly string[] {
  const question = (method: (typeof methods)[number]): string =>
    endpoint.asks.map((subresource) => `${verbOf(method, endpoint)} nodes/${subresource}`).join(', ');
  return [`\`${plainPath(endpoint)}\``, question('GET'), question('POST')];
}

const rightsOf = (name: keyof typeof users): string => {
  const rights = users[name];
  return rights === 'everything' ? rights : rights.map((right) => right.replace(' ', ' nodes/')).join(', ');
};

function plainPath({ path }: Endpoint): string {
  return path
    .replace(/\?.*$/, '')
    .replace('/default/absent/uid', '/{ns}/{pod}/{uid}')
    .replace('/default/absent', '/{ns}/{pod}')
    .replace(/\/main$/, '/{container}');
}

/** Columns as wide as Prettier makes them. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0), title.length),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n');
}
