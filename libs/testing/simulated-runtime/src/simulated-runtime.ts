import type {
  CallOptions,
  ImageService,
  RpcName,
  RuntimeConnection,
  RuntimeService,
} from '@podwright/cri-client-interface';
import { abortError, createSeededRandom, onAbort } from '@podwright/time';
import { Addresses } from './addresses.js';
import { CallGate } from './call-gate.js';
import { CallLog } from './call-log.js';
import { ContainerCalls } from './container-calls.js';
import { EventStream } from './event-stream.js';
import { ExecCalls } from './exec-calls.js';
import { Faults } from './faults.js';
import { ImageCalls } from './image-calls.js';
import { ImageStore } from './image-store.js';
import { LogFiles } from './log-files.js';
import { NanosecondStamps } from './nanosecond-stamps.js';
import { NodeCalls } from './node-calls.js';
import { Programs } from './program.js';
import { RuntimeControl } from './runtime-control.js';
import { RuntimeState } from './runtime-state.js';
import { SandboxCalls } from './sandbox-calls.js';
import { missingInContainerd, type SimulatedRuntimeOptions } from './simulated-runtime-options.js';
import { StatsCalls } from './stats-calls.js';

type Services = RuntimeService & ImageService;

/** A simulated runtime: the CRI services, and the controls for a test. */
export interface SimulatedRuntime extends Services, RuntimeConnection {
  /** Sets what containers do. */
  readonly programs: Programs;
  /** The registry, and the images on the node. */
  readonly store: ImageStore;
  /** Injects slow, failing and hanging calls. */
  readonly faults: Faults;
  /** The calls to the runtime. */
  readonly calls: CallLog;
  /** Disturbs the runtime from outside: exits, lost records, outages, a network that is not ready. */
  readonly control: RuntimeControl;
}

/**
 * Makes a CRI runtime in memory that is as strict as containerd 2.1. It runs on the given clock; calls take time only
 * when a program, an image or a fault says so. It is usable without `start`. `stop` ends the connection, not the
 * containers.
 */
export function createSimulatedRuntime(options: SimulatedRuntimeOptions): SimulatedRuntime {
  const { clock, name = 'simulated', requestTimeoutMs = 120_000, unimplemented = missingInContainerd } = options;
  const random = options.random ?? createSeededRandom('simulated runtime');
  const stamps = new NanosecondStamps(clock);
  const events = new EventStream();
  const state = new RuntimeState(stamps, events);
  const addresses = new Addresses(options.podCidr ?? '10.244.0.0/16');
  const programs = new Programs();
  const store = new ImageStore(clock, options.pullsAnything ?? true, options.unpublished);
  const calls = new CallLog(options.callLogLength ?? 100_000);
  const faults = new Faults();
  const mountpoint = options.imageFileSystem ?? '/var/lib/simulated/images';
  const logFiles = options.writesLogFiles === true ? new LogFiles() : undefined;
  const gate = new CallGate({
    clock,
    calls,
    faults,
    requestTimeoutMs,
    unimplemented: new Set(unimplemented),
    subjectsOf: (request) => subjectsOf(state, request),
  });
  const control = new RuntimeControl(state, gate, events);

  const containers = new ContainerCalls({ clock, random, stamps, state, store, programs, logFiles });
  const sandboxes = new SandboxCalls({
    random,
    stamps,
    state,
    addresses,
    containers,
    control,
    showsContainers: options.containersInSandboxStatus ?? false,
  });
  const node = new NodeCalls({
    ...{ name, control, store, stamps, mountpoint },
    supplementalGroupsPolicy: options.supplementalGroupsPolicy ?? true,
  });
  const exec = new ExecCalls(random, state, options.streamingUrl);
  const stats = new StatsCalls(state, stamps, mountpoint);
  const images = new ImageCalls(store);

  const unary =
    <Request, Response>(rpc: RpcName, work: (request: Request, signal: AbortSignal) => Promise<Response> | Response) =>
    (request: Request, callOptions: CallOptions = {}): Promise<Response> =>
      gate.pass(rpc, request, callOptions, (signal) => work(request, signal));
  const stream =
    <Request, Response>(rpc: RpcName, work: (request: Request, signal: AbortSignal) => AsyncIterable<Response>) =>
    (request: Request, callOptions: CallOptions = {}): AsyncIterable<Response> =>
      gatedStream(gate, rpc, request, callOptions, work);

  return {
    programs,
    store,
    faults,
    calls,
    control,
    runtimeName: name,
    runtimeVersion: node.versionOf.runtimeVersion,
    runtimeApiVersion: node.versionOf.runtimeApiVersion,
    start: async () => undefined,
    stop: async () => gate.close(),

    version: unary('version', () => ({ ...node.versionOf })),
    status: unary('status', () => node.status()),
    runtimeConfig: unary('runtimeConfig', () => ({ linux: { cgroupDriver: control.cgroupDriver } })),
    updateRuntimeConfig: unary('updateRuntimeConfig', () => ({})),
    listMetricDescriptors: unary('listMetricDescriptors', () => ({ descriptors: [] })),
    listPodSandboxMetrics: unary('listPodSandboxMetrics', () => ({ podMetrics: [] })),

    runPodSandbox: unary('runPodSandbox', (request) => sandboxes.run(request)),
    stopPodSandbox: unary('stopPodSandbox', (request) => sandboxes.stop(request)),
    removePodSandbox: unary('removePodSandbox', (request) => sandboxes.remove(request)),
    podSandboxStatus: unary('podSandboxStatus', (request) => sandboxes.status(request)),
    listPodSandbox: unary('listPodSandbox', (request) => sandboxes.list(request)),
    updatePodSandboxResources: unary('updatePodSandboxResources', (request) => sandboxes.updateResources(request)),

    createContainer: unary('createContainer', (request) => containers.create(request)),
    startContainer: unary('startContainer', (request, signal) => containers.start(request, signal)),
    stopContainer: unary('stopContainer', (request, signal) => containers.stop(request, signal)),
    removeContainer: unary('removeContainer', (request) => containers.remove(request)),
    containerStatus: unary('containerStatus', (request) => containers.status(request)),
    listContainers: unary('listContainers', (request) => containers.list(request)),
    updateContainerResources: unary('updateContainerResources', (request) => containers.updateResources(request)),
    reopenContainerLog: unary('reopenContainerLog', (request) => containers.reopenLog(request)),
    checkpointContainer: unary('checkpointContainer', (request) => containers.checkpoint(request)),

    execSync: unary('execSync', (request, signal) => exec.execSync(request, signal)),
    exec: unary('exec', (request) => exec.exec(request)),
    attach: unary('attach', (request) => exec.attach(request)),
    portForward: unary('portForward', (request) => exec.portForward(request)),

    containerStats: unary('containerStats', (request) => stats.container(request)),
    listContainerStats: unary('listContainerStats', (request) => stats.containers(request)),
    podSandboxStats: unary('podSandboxStats', (request) => stats.sandbox(request)),
    listPodSandboxStats: unary('listPodSandboxStats', (request) => stats.sandboxes(request)),

    listImages: unary('listImages', (request) => images.list(request)),
    imageStatus: unary('imageStatus', (request) => images.status(request)),
    pullImage: unary('pullImage', (request, signal) => images.pull(request, signal)),
    removeImage: unary('removeImage', (request) => images.remove(request)),
    imageFsInfo: unary('imageFsInfo', () => node.imageFsInfo()),

    getContainerEvents: stream('getContainerEvents', (_request, signal) => events.read(signal)),
    streamPodSandboxes: stream('streamPodSandboxes', (request) =>
      once({ podSandboxes: sandboxes.list(request).items }),
    ),
    streamContainers: stream('streamContainers', (request) => once(containers.list(request))),
    streamContainerStats: stream('streamContainerStats', (request) =>
      once({ containerStats: stats.containers(request).stats }),
    ),
    streamPodSandboxStats: stream('streamPodSandboxStats', (request) =>
      once({ podSandboxStats: stats.sandboxes(request).stats }),
    ),
    streamPodSandboxMetrics: stream('streamPodSandboxMetrics', () => once({ podSandboxMetrics: [] })),
    streamImages: stream('streamImages', (request) => once(images.list(request))),
  };
}

async function* once<T>(message: T): AsyncGenerator<T, void, undefined> {
  yield message;
}

/**
 * The names by which a fault can match a call: ids as in the request, the pod's UID, the container's name, the image.
 */
function subjectsOf(state: RuntimeState, request: unknown): string[] {
  const { containerId, podSandboxId, config, image } = request as {
    containerId?: string;
    podSandboxId?: string;
    config?: { metadata?: { uid?: string; name?: string } };
    image?: { image?: string };
  };
  const container = state.findContainer(containerId);
  const sandbox = state.findSandbox(podSandboxId ?? container?.podSandboxId);
  const names = [containerId, podSandboxId, container?.podSandboxId, container?.name, sandbox?.podUid];
  return [...names, config?.metadata?.uid, config?.metadata?.name, image?.image].filter(
    (name): name is string => name !== undefined && name !== '',
  );
}

async function* gatedStream<Request, Response>(
  gate: CallGate,
  rpc: RpcName,
  request: Request,
  options: CallOptions,
  work: (request: Request, signal: AbortSignal) => AsyncIterable<Response>,
): AsyncGenerator<Response, void, undefined> {
  // The deadline only applies to opening the stream; event streams have none.
  await gate.pass(rpc, request, options, () => undefined);
  const ending = new AbortController();
  const { signal } = options;
  const outage = gate.outageSignal;
  const unlisten = [
    onAbort(signal, () => ending.abort(signal && abortError(signal))),
    onAbort(outage, () => ending.abort(outage.reason)),
  ];
  try {
    yield* work(request, ending.signal);
  } finally {
    for (const step of unlisten) step();
  }
}
