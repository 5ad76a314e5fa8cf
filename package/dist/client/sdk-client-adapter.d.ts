import { Client } from "@modelcontextprotocol/client";
import type { Tool } from "@modelcontextprotocol/client";
import type { JsonValue } from "../core/index.js";
import type { TaskEnabledSession, WithTasksOptions } from "./api.js";
import type { DispatchOptions, SessionTaskCapabilities } from "./port.js";
import type { ConnectedMcpSessionPort, IncomingServerRequest, JsonRpcResponse } from "./port.js";
/** Host-owned request coordinator used when SDK wire codecs reject V2 task traffic. */
export type RawClientDispatch = (request: JsonValue, options?: DispatchOptions) => Promise<JsonRpcResponse>;
/** Exact V2 request metadata framing unavailable from the SDK Client public API. */
export interface V2RequestFraming {
    readonly protocolVersion: string;
    readonly clientInfo: Readonly<Record<string, JsonValue>>;
    readonly clientCapabilities: Readonly<Record<string, JsonValue>>;
}
/** Options for adapting an SDK Client without a V2 raw request path. */
interface ClientSessionPortWithoutRawDispatch {
    readonly rawDispatch?: undefined;
    readonly v2RequestFraming?: undefined;
}
/** Options for adapting an SDK Client with the complete V2 raw request path. */
interface ClientSessionPortWithRawDispatch {
    readonly rawDispatch: RawClientDispatch;
    readonly v2RequestFraming: V2RequestFraming;
}
/** Options for adapting an SDK Client. V2 raw dispatch and framing are supplied together. */
export type ClientSessionPortOptions = ClientSessionPortWithoutRawDispatch | ClientSessionPortWithRawDispatch;
/** Options for creating an owned task-enabled session from an MCP SDK Client. */
export type CreateTaskSessionFromClientOptions<TApplicationContext = void> = WithTasksOptions<TApplicationContext> & ClientSessionPortOptions & {
    /** Opaque stable identity used to scope serialized task references. */
    readonly endpointId: string;
};
/** Converts an MCP SDK Tool into the package's neutral declaration. */
export declare function toolDeclarationFromMcpTool(tool: Tool): import("./api.js").ToolDeclaration;
type ClientPublicSurface = Pick<Client, "request" | "getProtocolEra" | "getServerCapabilities" | "fallbackRequestHandler" | "fallbackNotificationHandler" | "onclose">;
export declare class ClientSessionPort implements ConnectedMcpSessionPort {
    private readonly client;
    readonly endpointId: string;
    private readonly rawDispatch?;
    readonly taskCapabilities: SessionTaskCapabilities;
    private readonly serverRequestListeners;
    private readonly notificationListeners;
    private readonly invalidationListeners;
    private readonly previousFallbackRequestHandler;
    private readonly previousFallbackNotificationHandler;
    private readonly previousOnclose;
    private readonly v2RequestFraming;
    private disposed;
    private isInvalidated;
    private readonly fallbackRequestHandler;
    private readonly fallbackNotificationHandler;
    private readonly onclose;
    constructor(client: ClientPublicSurface, endpointId: string, rawDispatch?: RawClientDispatch | undefined, v2RequestFraming?: V2RequestFraming);
    get invalidated(): boolean;
    dispatch(request: JsonValue, options?: DispatchOptions): Promise<JsonRpcResponse>;
    onServerRequest(handler: (incoming: IncomingServerRequest) => Promise<JsonRpcResponse | undefined>): () => void;
    onNotification(listener: (notification: JsonValue) => void): () => void;
    onInvalidated(listener: (reason: unknown) => void): () => void;
    [Symbol.dispose](): void;
    private invalidate;
}
/** Creates a disposable connected session port backed by an MCP SDK client. */
export declare function createSessionPortFromClient(client: Client, endpointId: string, options?: ClientSessionPortOptions): ConnectedMcpSessionPort & Disposable;
/** Creates a task-enabled session that owns and disposes its Client adapter. */
export declare function createTaskSessionFromClient<TApplicationContext = void>(client: Client, options: CreateTaskSessionFromClientOptions<TApplicationContext>): TaskEnabledSession<TApplicationContext>;
export {};
//# sourceMappingURL=sdk-client-adapter.d.ts.map