import { callers, users, type Caller } from './callers.js';
import { endpoints, type Endpoint } from './endpoints.js';
import { mayAsk, methods, verbOf } from './expectation.js';

const intro = `# Who may call what

For operators: what the kubelet's main port (10250) answers to whom, with \`authorization.mode: Webhook\`, a client CA file and
TokenReview. With \`authorization.mode: AlwaysAllow\` everybody who has a name in the first table, the anonymous user too, may do everything.

The listeners of a local API (\`localSocket\`, \`localAddress\`) ask nobody for a name: root, and clients with a certificate of
\`localClientCaFile\`, may do everything there ([server](../libs/control-plane/server/default/README.md#the-local-api)). On the kubelet's own socket, which
\`localReadOnly\` limits, root may only read ([how](../apps/kubelet/README.md#the-socket)).

The data behind these tables is in \`libs/assembly/kubelet-assembly/src/simulation/access-table\`. A simulation there sends each
request of every caller to every path, over HTTPS, to the kubelet as it ships, once with anonymous requests and once without.
\`WRITE_DOCS=1 npx jest access-page\` writes this page; the same spec fails when the page is stale.

## Who the caller is

Wrong credentials never become the anonymous user. A certificate comes before a token, and a good token still counts beside a wrong
certificate. No header makes a caller somebody else.`;

const questions = `## What the kubelet asks the API server

The kubelet asks whether the user may do the verb with the subresource of the node. If several are listed, any one is enough. GET is
\`get\`, POST \`create\`, PUT \`update\`, PATCH \`patch\`, DELETE \`delete\`.

One rule is stricter than upstream: exec, attach, run and port-forward need \`create\` whatever the method. Upstream takes the method, and a
WebSocket opens with GET, so a caller who may only read \`nodes/proxy\` can run commands there. The option \`verbByMethod\` of
\`@podwright/server\` restores upstream's rule. As upstream, an unknown path is a 404 for everybody.`;

const answers = `## Who gets an answer

One column per set of rights; a dot is a 403. \`everything\` is a member of \`system:masters\`; the kubelet asks the API server about them too.`;

/** The text of docs/who-may-call-what.md. */
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

/** A table with columns as wide as Prettier makes them. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0), title.length),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n');
}
