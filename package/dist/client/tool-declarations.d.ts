import type { JsonValue } from "../core/index.js";
import { type ToolDeclaration, type ToolDeclarationProvider } from "./api.js";
import type { ConnectedMcpSessionPort } from "./port.js";
export declare class ManagedToolDeclarations implements ToolDeclarationProvider {
    private readonly port;
    private readonly reportError;
    private tools;
    private refreshSequence;
    private refreshController;
    private initialReady;
    private closed;
    constructor(port: ConnectedMcpSessionPort, reportError: (error: Error) => void);
    currentTool(name: string): ToolDeclaration | undefined;
    ensureReady(signal?: AbortSignal): Promise<void>;
    close(): void;
    onNotification(notification: JsonValue): void;
    private refresh;
}
//# sourceMappingURL=tool-declarations.d.ts.map