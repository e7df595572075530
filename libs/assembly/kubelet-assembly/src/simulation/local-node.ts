import { createToken, defineModule, type AnyModule } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';
import { localApiModule } from '@podwright/local-api';
import { LOCAL_OBJECTS } from '@podwright/local-objects-interface';
import { VolatileLocalObjects } from '@podwright/local-objects-interface/contract';
import { endedLocalPodsModule, localPodsModule } from '@podwright/pod-config';
import { LOCAL_ROUTES, type Route } from '@podwright/server-interface';
import { askRoutes } from '@podwright/server-interface/contract';
import { SimulatedNode, type SimulatedNodeOptions } from './simulated-node.js';

const routesToken = createToken<readonly Route[]>('test.local-routes/v1');

/** What the local API answers. */
export interface LocalAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> & { readonly items?: readonly Pod[]; readonly message?: string };
}

/** A node with a local API, whose objects outlive its kubelets. */
export class LocalNode {
  private constructor(readonly node: SimulatedNode) {}

  static async create(options: SimulatedNodeOptions = {}): Promise<LocalNode> {
    const { disk } = new VolatileLocalObjects();
    const store = defineModule({
      name: 'volatile-local-objects',
      provides: [LOCAL_OBJECTS],
      create: () => new VolatileLocalObjects(disk),
    });
    const routes = defineModule({
      name: 'local-routes-for-the-spec',
      provides: [routesToken],
      needs: { routes: LOCAL_ROUTES },
      create: ({ routes: contributed }) => contributed,
    });
    const modules: readonly AnyModule[] = [store, localPodsModule, endedLocalPodsModule, localApiModule, routes];
    const configured = {
      '@podwright/pod-config#local': { nodeName: 'node' },
      '@podwright/local-api': { nodeName: 'node' },
    };
    return new LocalNode(
      await SimulatedNode.create({
        ...options,
        modules: [...modules, ...(options.modules ?? [])],
        options: { ...configured, ...options.options },
      }),
    );
  }

  async ask(method: string, path: string, body?: unknown): Promise<LocalAnswer> {
    const routes = this.node.part(routesToken);
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const { status, body: text } = await this.node.finish(askRoutes(routes, method, path, sent));
    return { status, body: JSON.parse(text) as LocalAnswer['body'] };
  }

  /** A pod as the API shows it; undefined when there is none. */
  async pod(name: string): Promise<Pod | undefined> {
    const { items = [] } = (await this.ask('GET', '/api/v1/pods')).body;
    return items.find(({ metadata }) => metadata.name === name);
  }

  /** Advances the clock until the API shows what `condition` demands of the pod. */
  async untilShown(
    name: string,
    condition: (pod: Pod | undefined) => boolean,
    limitMs = 120_000,
  ): Promise<Pod | undefined> {
    const until = this.node.clock.now() + limitMs;
    for (;;) {
      const pod = await this.pod(name);
      if (condition(pod)) return pod;
      if (this.node.clock.now() > until) throw new Error(`pod ${name} stays ${JSON.stringify(pod)}`);
      await this.node.clock.advance(500);
    }
  }
}
