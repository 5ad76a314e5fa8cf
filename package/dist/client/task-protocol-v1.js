/** Generation-specific requester-side V1 task execution. */
import { TaskCancellationUnsupportedError } from "./api.js";
import { TaskExecution, taskPollInterval, terminalStatus, } from "./execution.js";
import { createTaskRpc } from "./port.js";
/** Creates an execution controller for an existing V1 task. */
export function createTaskExecutionV1(options) {
    const { applicationContext, dispatchContext, handle, initialTask, resultCodec, port, } = options;
    const rpc = createTaskRpc("v1", {
        port,
        taskId: handle.taskId,
        context: dispatchContext,
    });
    return new TaskExecution({
        applicationContext,
        declaration: options.declaration,
        handle,
        endpointId: port.endpointId,
        initialSnapshot: { generation: "v1", task: initialTask },
        driver: async (context) => {
            let current = initialTask;
            let notificationSequence = 0;
            while (!terminalStatus(current.status)) {
                const observed = await context.nextObservation(notificationSequence, taskPollInterval(current.pollInterval), async (observationSignal) => ({
                    generation: "v1",
                    task: await rpc.get(observationSignal),
                }));
                if (observed === undefined)
                    continue;
                if (observed.snapshot.generation !== "v1")
                    throw new Error("V1 task driver received a non-V1 snapshot");
                notificationSequence = observed.sequence;
                current = observed.snapshot.task;
                if (!context.isClosed()) {
                    const accepted = context.accept({ generation: "v1", task: current });
                    if (accepted.generation !== "v1")
                        throw new Error("V1 task driver accepted a non-V1 snapshot");
                    current = accepted.task;
                }
            }
            if (context.isClosed())
                throw context.errors.closed;
            if (current.status === "cancelled")
                throw context.errors.cancelled;
            if (current.status === "failed")
                throw new Error(current.statusMessage ?? "Task failed");
            return rpc.result(resultCodec, context.signal);
        },
        cancelTask: async (signal) => {
            const capabilities = port.taskCapabilities;
            if (capabilities.generation !== "v1" ||
                capabilities.capabilities.cancel === undefined)
                throw new TaskCancellationUnsupportedError();
            await rpc.cancel(signal);
        },
        lifecycleSignal: options.lifecycleSignal,
    });
}
//# sourceMappingURL=task-protocol-v1.js.map