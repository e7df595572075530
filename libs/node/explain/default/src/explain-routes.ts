import {
  nodeExplanationSchema,
  podExplanationSchema,
  type Explainer,
  type NodeExplanation,
  type PodExplanation,
} from '@podwright/explain-interface';
import { jsonPage, text, type Answer } from '@podwright/http-answer';
import type { ServerRequest, ServerRoute } from '@podwright/server-interface';
import { printNode } from './print/print-node.js';
import { printPod } from './print/print-pod.js';

const outputs = ['json', 'text'] as const;

/**
 * `/explain/pods/NAMESPACE/NAME` (with `?uid=` one of several that had the name) and `/explain/node` (with `?node=` only
 * if that is its name), as JSON, or with `?output=text` as a page for a terminal. `/explain/schema` has the schemas of the JSON. Upstream has none of them.
 */
export function explainRoutes(explainer: Explainer): readonly ServerRoute[] {
  const shared = { methods: ['GET'], produces: ['application/json'], metricPath: 'explain' } as const;
  return [
    {
      ...shared,
      path: '/explain/pods/{namespace}/{name}',
      handle: async (request) => {
        const output = outputOf(request);
        if (output === undefined) return wrongOutput(request);
        const { namespace = '', name = '' } = request.parameters;
        const uid = request.query.get('uid') ?? undefined;
        const options = { signal: request.signal, ...(uid !== undefined && { uid }) };
        return answer(await explainer.explainPod(namespace, name, options), output, printPod);
      },
    },
    {
      ...shared,
      path: '/explain/node',
      handle: async (request) => {
        const output = outputOf(request);
        if (output === undefined) return wrongOutput(request);
        const explanation = await explainer.explainNode(request.signal);
        const asked = request.query.get('node');
        return asked === null || (explanation.node ?? asked) === asked
          ? answer(explanation, output, printNode)
          : text(
              404,
              `this is the kubelet of node ${explanation.node}: ask that of ${asked} on its machine, or with --kubeconfig\n`,
            );
      },
    },
    {
      ...shared,
      path: '/explain/schema',
      handle: () => jsonPage({ pod: podExplanationSchema, node: nodeExplanationSchema }),
    },
  ];
}

function outputOf({ query }: ServerRequest): (typeof outputs)[number] | undefined {
  const wanted = query.get('output') ?? 'json';
  return outputs.find((output) => output === wanted);
}

function wrongOutput({ query }: ServerRequest): Answer {
  return text(400, `output must be json or text, not ${JSON.stringify(query.get('output'))}\n`);
}

function answer<E extends PodExplanation | NodeExplanation>(
  explanation: E,
  output: (typeof outputs)[number],
  print: (of: E) => string,
): Answer {
  // Scripts ask whether a pod is there; the page about a name that nobody knows still says what to do.
  const status = explanation.situation === 'unknown' ? 404 : 200;
  return output === 'text' ? text(status, print(explanation)) : { ...jsonPage(explanation), status };
}
