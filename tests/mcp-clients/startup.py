"""Measures a server from its start to the answer of `tools/list`, in milliseconds, and its memory then.

    python3 tests/mcp-clients/startup.py ROUNDS COMMAND [ARGUMENT…]
"""

import json
import subprocess
import sys
import time

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "startup", "version": "1"}}


def line(method, params, number=None):
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        message["id"] = number
    return json.dumps(message).encode() + b"\n"


def once(command):
    began = time.perf_counter()
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    server.stdin.write(line("initialize", HELLO, 1))
    server.stdin.flush()
    server.stdout.readline()
    server.stdin.write(line("notifications/initialized", {}) + line("tools/list", {}, 2))
    server.stdin.flush()
    answer = json.loads(server.stdout.readline())
    took = (time.perf_counter() - began) * 1000
    with open(f"/proc/{server.pid}/status") as status:
        memory = next(int(row.split()[1]) for row in status if row.startswith("VmRSS")) / 1024
    server.stdin.close()
    server.wait()
    return took, memory, len(answer["result"]["tools"])


rounds = [once(sys.argv[2:]) for _ in range(int(sys.argv[1]))]
times = sorted(took for took, _, _ in rounds)
print(f"{rounds[0][2]} tools; ms: min {times[0]:.1f}, median {times[len(times) // 2]:.1f}, max {times[-1]:.1f}; "
      f"memory {max(memory for _, memory, _ in rounds):.0f} MiB")
